import ArgumentParser
import AuthCore
import OpenIDConnect

/// The options of a sign-in at an OpenID provider.
struct ProviderOptions: ParsableArguments {
    @Option(
        name: .customLong("client-id"),
        help: """
            The client ID at the provider. An empty one registers a new client. With --apple, the app's bundle \
            identifier (default: com.goumuve.app).
            """
    )
    var clientID: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The scopes to request. (default: openid profile email, and offline_access if the provider supports it)",
            valueName: "scopes"
        )
    )
    var scope: String?

    @Option(name: .long, help: "The provider, whose rules the tool knows. Completes or replaces --issuer.")
    var provider: ProviderName?

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

    @Flag(name: .long, help: "Sign in on another device, without a browser on this one.")
    var device = false

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
            Follow the FAPI 2.0 Security Profile: pushed requests, DPoP, and PS256, ES256 or EdDSA alone. \
            Needs --private-key, or --certificate with --certificate-key.
            """
    )
    var fapi2 = false

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

    /// The name of an option that was given and concerns a user; nil if there is none.
    var ofUser: String? {
        given.first(
            where: ["--param", "--device", "--prompt", "--max-age", "--login-hint", "--acr-values", "--par"].contains
        )
    }

    private static func pair(_ text: String) -> (name: String, value: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
    }

    /// The names of the options that were given, without the client ID.
    var given: [String] {
        var given: [String] = []
        if scope != nil { given.append("--scope") }
        if provider != nil { given.append("--provider") }
        if tenant != nil { given.append("--tenant") }
        if audience != nil { given.append("--audience") }
        if !param.isEmpty { given.append("--param") }
        if device { given.append("--device") }
        if prompt != nil { given.append("--prompt") }
        if maxAge != nil { given.append("--max-age") }
        if loginHint != nil { given.append("--login-hint") }
        if acrValues != nil { given.append("--acr-values") }
        if !resource.isEmpty { given.append("--resource") }
        if par { given.append("--par") }
        if dpop { given.append("--dpop") }
        if fapi2 { given.append("--fapi2") }
        return given
    }

    /// The API that a program's tokens are for.
    var target: TokenTarget {
        TokenTarget(audiences: audience.map { [$0] } ?? [], resources: resource, scope: scope.map { Scope($0) })
    }

    var parameters: AuthorizationParameters {
        var parameters = AuthorizationParameters(scope: scope.map { Scope($0) })
        for parameter in param {
            let (name, value) = Self.pair(parameter)
            parameters.additionalParameters[name] = value
        }
        if let audience { parameters.additionalParameters["audience"] = audience }
        parameters.prompt = prompt.map { $0.split(separator: " ").map { .init(rawValue: String($0)) } } ?? []
        parameters.maximumAge = maxAge.map { .seconds($0) }
        parameters.loginHint = loginHint
        parameters.acrValues = acrValues.map { $0.split(separator: " ").map(String.init) } ?? []
        parameters.resources = resource
        parameters.usesPushedAuthorizationRequest = par
        parameters.usesDPoP = dpop
        return parameters
    }
}
