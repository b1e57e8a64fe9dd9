import ArgumentParser
import AuthCore
import OpenIDConnect

/// What a sign-in at an OpenID provider takes.
struct ProviderOptions: ParsableArguments {
    enum ClientAuth: String, ExpressibleByArgument, CaseIterable {
        case none
        case basic
        case post
    }

    @Option(
        name: .customLong("client-id"),
        help: """
            The client ID at the provider; empty to register a new one there. With --apple the app's bundle identifier, \
            com.goumuve.app unless given.
            """
    )
    var clientID: String?

    @Option(name: .long, help: ArgumentHelp("A file with the client secret, on its first line.", valueName: "file"))
    var clientSecretFile: String?

    @Option(name: .long, help: "How the client secret is shown; basic unless given, and none without a secret.")
    var clientAuth: ClientAuth?

    @Option(name: .long, help: ArgumentHelp("The scopes to ask for.", valueName: "scopes"))
    var scope = Self.usualScope

    private static let usualScope = "openid profile email offline_access"

    @Flag(name: .long, help: "Sign in on another device: no browser is needed on this one.")
    var device = false

    @Option(name: .long, help: "What the provider shall ask: none, login, consent or select_account.")
    var prompt: String?

    @Option(
        name: .long,
        help: ArgumentHelp("How long ago the person may have typed the password there.", valueName: "seconds")
    )
    var maxAge: Int?

    @Option(name: .long, help: ArgumentHelp("Who is about to sign in: an address, say.", valueName: "name"))
    var loginHint: String?

    @Option(
        name: .long,
        help: ArgumentHelp("How strongly the person shall authenticate, best first.", valueName: "values")
    )
    var acrValues: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "An API that the access token is for; may be given several times (RFC 8707).",
            valueName: "url"
        )
    )
    var resource: [String] = []

    @Flag(name: .long, help: "Put the request down at the provider before the browser opens (RFC 9126).")
    var par = false

    @Flag(name: .long, help: "Bind the tokens to a key of this session's own (RFC 9449).")
    var dpop = false

    mutating func validate() throws {
        guard maxAge.map({ (0...31_536_000).contains($0) }) ?? true else {
            throw ValidationError("--max-age takes 0 to 31536000 seconds.")
        }
        if clientSecretFile == nil, let clientAuth, clientAuth != .none {
            throw ValidationError("--client-auth \(clientAuth.rawValue) needs --client-secret-file.")
        }
        if clientSecretFile != nil, clientAuth == ClientAuth.none {
            throw ValidationError("--client-auth none takes no --client-secret-file.")
        }
        guard Scope(scope).contains("openid") else { throw ValidationError("--scope must have openid in it.") }
    }

    /// What was given of these, but for the client ID.
    var given: [String] {
        var given: [String] = []
        if clientSecretFile != nil { given.append("--client-secret-file") }
        if clientAuth != nil { given.append("--client-auth") }
        if scope != Self.usualScope { given.append("--scope") }
        if device { given.append("--device") }
        if prompt != nil { given.append("--prompt") }
        if maxAge != nil { given.append("--max-age") }
        if loginHint != nil { given.append("--login-hint") }
        if acrValues != nil { given.append("--acr-values") }
        if !resource.isEmpty { given.append("--resource") }
        if par { given.append("--par") }
        if dpop { given.append("--dpop") }
        return given
    }

    var parameters: AuthorizationParameters {
        var parameters = AuthorizationParameters(scope: Scope(scope))
        parameters.prompt = prompt.map { $0.split(separator: " ").map { .init(rawValue: String($0)) } } ?? []
        parameters.maximumAge = maxAge.map { .seconds($0) }
        parameters.loginHint = loginHint
        parameters.acrValues = acrValues.map { $0.split(separator: " ").map(String.init) } ?? []
        parameters.resources = resource
        parameters.pushesRequest = par
        parameters.bindsTokens = dpop
        return parameters
    }
}
