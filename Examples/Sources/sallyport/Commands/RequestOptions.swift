// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenIDConnect

/// The less common options of a sign-in at a provider: the parameters of its requests.
struct RequestOptions: ParsableArguments {
    @Option(name: .long, help: "The tenant at Microsoft: common, organizations, consumers or an ID. (default: common)")
    var tenant: String?

    @Option(name: .long, help: "The API that the access token is for, as Auth0 names it.")
    var audience: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A parameter of the authorization request. May be given more than once.",
            valueName: "name=value"
        )
    )
    var param: [String] = []

    @Option(name: .long, help: "The prompts of the provider: none, login, consent or select_account.")
    var prompt: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Maximum authentication age in seconds.", valueName: "seconds")
    )
    var maxAge: Int?

    @Option(name: .long, help: ArgumentHelp("The user who signs in, for example an e-mail address.", valueName: "name"))
    var loginHint: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The requested authentication context classes, in order of preference.", valueName: "values")
    )
    var acrValues: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "An API that the access token is for (RFC 8707). May be given more than once.",
            valueName: "url"
        )
    )
    var resource: [String] = []

    @Flag(name: .long, help: "Use a Pushed Authorization Request (RFC 9126).")
    var par = false

    @Flag(name: .long, help: "Use DPoP (RFC 9449).")
    var dpop = false

    @Flag(
        name: .long,
        help: """
            Sign in again at the session's provider. The same user must sign in, and the provider must meet \
            --acr-values and --max-age; otherwise the session stays as it is.
            """
    )
    var stepUp = false

    mutating func validate() throws {
        guard maxAge.map({ (0...31_536_000).contains($0) }) ?? true else {
            throw ValidationError("--max-age takes 0 to 31536000 seconds.")
        }
        for parameter in param {
            let name = Self.pair(parameter).name
            guard parameter.contains("="), !name.isEmpty else {
                throw ValidationError("--param takes NAME=VALUE, not \(parameter).")
            }
            guard !AuthorizationParameters.isReserved(name) else {
                throw ValidationError("--param can't set \(name), which the protocol sets itself.")
            }
        }
        let names = param.map { Self.pair($0).name } + (audience == nil ? [] : ["audience"])
        guard Set(names).count == names.count else { throw ValidationError("A parameter is given twice.") }
    }

    /// The additional parameters of the authorization request.
    var additionalParameters: [String: String] {
        var parameters: [String: String] = [:]
        for parameter in param {
            let (name, value) = Self.pair(parameter)
            parameters[name] = value
        }
        if let audience { parameters["audience"] = audience }
        return parameters
    }

    private static func pair(_ text: String) -> (name: String, value: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
    }
}
