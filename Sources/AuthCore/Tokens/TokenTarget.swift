/// An API that an access token is for, if it is not the one that a session's own access token is for.
public struct TokenTarget: Sendable, Hashable {
    /// The names that the server knows APIs by; empty if it needs none.
    ///
    /// Wire: `audience`. [RFC 8693, 2.1](https://www.rfc-editor.org/rfc/rfc8693#section-2.1).
    public var audiences: [String]
    /// The absolute URLs of APIs; empty if the server needs none.
    ///
    /// Wire: `resource`. [RFC 8707, 2](https://www.rfc-editor.org/rfc/rfc8707#section-2).
    public var resources: [String]
    /// The scope of the token; nil for the server's choice.
    ///
    /// Wire: `scope`. [RFC 6749, 6](https://www.rfc-editor.org/rfc/rfc6749#section-6).
    public var scope: Scope?

    /// Creates a target.
    ///
    /// - Parameters:
    ///   - audiences: The names that the server knows APIs by.
    ///   - resources: The absolute URLs of APIs.
    ///   - scope: The scope of the token; nil for the server's choice.
    public init(audiences: [String] = [], resources: [String] = [], scope: Scope? = nil) {
        self.audiences = audiences
        self.resources = resources
        self.scope = scope
    }

    /// The fields of a token request.
    package var form: [(String, String)] {
        let names = audiences.map { ("audience", $0) } + resources.map { ("resource", $0) }
        return scope.map { names + [("scope", $0.description)] } ?? names
    }
}
