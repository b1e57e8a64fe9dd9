// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthCore
import OpenIDConnect

/// The options of a sign-in at an OpenID provider.
struct ProviderOptions: ParsableArguments {
    // The same title as that of ``ServerOptions``, so that the help shows both in one section.
    @OptionGroup(title: "Common options") var common: SignInOptions

    @OptionGroup(title: "Provider") var request: RequestOptions

    var provider: ProviderName? { common.provider }
    var clientID: String? { common.clientID }
    var scope: String? { common.scope }
    var device: Bool { common.device }
    var tenant: String? { request.tenant }
    var resource: [String] { request.resource }
    var dpop: Bool { request.dpop }

    /// The name of an option that was given and concerns a user; nil if there is none.
    var ofUser: String? {
        given.first(
            where: ["--param", "--device", "--prompt", "--max-age", "--login-hint", "--acr-values", "--par"].contains
        )
    }

    /// The names of the options that were given, without the client ID.
    var given: [String] {
        var given: [String] = []
        if scope != nil { given.append("--scope") }
        if provider != nil { given.append("--provider") }
        if tenant != nil { given.append("--tenant") }
        if request.audience != nil { given.append("--audience") }
        if !request.param.isEmpty { given.append("--param") }
        if device { given.append("--device") }
        if request.prompt != nil { given.append("--prompt") }
        if request.maxAge != nil { given.append("--max-age") }
        if request.loginHint != nil { given.append("--login-hint") }
        if request.acrValues != nil { given.append("--acr-values") }
        if !resource.isEmpty { given.append("--resource") }
        if request.par { given.append("--par") }
        if dpop { given.append("--dpop") }
        return given
    }

    /// The API that a program's tokens are for.
    var target: TokenTarget {
        TokenTarget(audiences: request.audience.map { [$0] } ?? [], resources: resource, scope: scope.map { Scope($0) })
    }

    var parameters: AuthorizationParameters {
        var parameters = AuthorizationParameters(scope: scope.map { Scope($0) })
        parameters.additionalParameters = request.additionalParameters
        parameters.prompt = request.prompt.map { $0.split(separator: " ").map { .init(rawValue: String($0)) } } ?? []
        parameters.maximumAge = request.maxAge.map { .seconds($0) }
        parameters.loginHint = request.loginHint
        parameters.acrValues = request.acrValues.map { $0.split(separator: " ").map(String.init) } ?? []
        parameters.resources = resource
        parameters.usesPushedAuthorizationRequest = request.par
        parameters.usesDPoP = dpop
        return parameters
    }
}
