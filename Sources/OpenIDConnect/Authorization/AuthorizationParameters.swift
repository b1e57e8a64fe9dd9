public import AuthCore

/// What an app asks for when somebody signs in.
///
/// [OpenID Connect Core 1.0, 3.1.2.1](https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest).
public struct AuthorizationParameters: Sendable, Hashable {
    /// What the provider shall do about a person who is signed in there.
    ///
    /// Wire: `prompt`.
    public struct Prompt: RawRepresentable, Sendable, Hashable {
        /// The word as on the wire.
        public let rawValue: String

        /// Wraps a word.
        ///
        /// - Parameter rawValue: The word as on the wire.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Ask nothing: an answer, or an error, at once.
        public static let none = Prompt(rawValue: "none")
        /// Ask for the password again.
        public static let login = Prompt(rawValue: "login")
        /// Ask for consent again.
        public static let consent = Prompt(rawValue: "consent")
        /// Let the person choose among accounts.
        public static let selectAccount = Prompt(rawValue: "select_account")
        /// Let the person make an account.
        ///
        /// [Initiating User Registration 1.0](https://openid.net/specs/openid-connect-prompt-create-1_0.html).
        public static let create = Prompt(rawValue: "create")
    }

    /// The scopes asked for, exactly these.
    ///
    /// Wire: `scope`.
    public var scope: Scope = "openid profile email offline_access"
    /// What the provider shall ask the person.
    ///
    /// Wire: `prompt`.
    public var prompt: [Prompt] = []
    /// Who probably signs in, an address for one.
    ///
    /// Wire: `login_hint`.
    public var loginHint: String?
    /// How long ago the person may have authenticated; what the ID token says of it is checked.
    ///
    /// Wire: `max_age`, in whole seconds.
    public var maximumAge: Duration?
    /// How strongly the person shall authenticate, the best first.
    ///
    /// Wire: `acr_values`.
    public var acrValues: [String] = []
    /// In which languages the provider shall speak, the best first.
    ///
    /// Wire: `ui_locales`.
    public var uiLocales: [String] = []
    /// Which claims are asked for one by one.
    ///
    /// Wire: `claims`, as JSON.
    /// [OpenID Connect Core 1.0, 5.5](https://openid.net/specs/openid-connect-core-1_0.html#ClaimsParameter).
    public var claims: JSONValue?
    /// Which APIs the access token shall be good for.
    ///
    /// Wire: `resource`, once each. [RFC 8707, 2](https://www.rfc-editor.org/rfc/rfc8707#section-2).
    public var resources: [String] = []
    /// Parameters that are the provider's own.
    ///
    /// None that this type or the protocol has a name for: such are refused.
    public var additional: [String: String] = [:]

    /// Whether the request is put down at the provider before the browser goes, also where the provider does not ask for it.
    ///
    /// [RFC 9126](https://www.rfc-editor.org/rfc/rfc9126).
    public var pushesRequest = false
    /// Whether the tokens are bound to a key that is made for the session and kept with it.
    ///
    /// [RFC 9449](https://www.rfc-editor.org/rfc/rfc9449).
    public var bindsTokens = false

    /// Makes parameters with their defaults.
    ///
    /// - Parameter scope: The scopes asked for, exactly these.
    public init(scope: Scope = "openid profile email offline_access") {
        self.scope = scope
    }
}
