// SPDX-License-Identifier: Apache-2.0

/// An API that an access token is for, and the token's scope.
///
/// Targets are equal if their names are byte for byte, in the same order, and their scopes are.
public struct TokenTarget: Sendable, Hashable, Codable {
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

    /// Whether it names no API.
    package var isEmpty: Bool { form.isEmpty }

    /// Returns whether both have the same names, byte for byte, and the same scope.
    ///
    /// A server may know two APIs by names that look alike, such as with a composed and a decomposed accent.
    public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes && left.scope == right.scope }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
        hasher.combine(scope)
    }

    /// Returns whether an app that is configured for some APIs may use the tokens of a sign-in.
    ///
    /// It may if its configuration names no API, those of the sign-in, or those that it named at the sign-in: the app
    /// has then chosen others for the request itself. Names are compared byte for byte, in any order.
    ///
    /// - Parameters:
    ///   - configured: The APIs of the app's configuration.
    ///   - resources: The APIs that the sign-in requested tokens for.
    ///   - before: The APIs of the configuration at the sign-in.
    /// - Returns: Whether it may.
    package static func isUsable(
        forResources configured: [String],
        _ resources: [String],
        configuredFor before: [String]
    ) -> Bool {
        configured.isEmpty || areSame(configured, resources) || areSame(configured, before)
    }

    /// Returns whether both lists name the same APIs, byte for byte, in any order.
    package static func areSame(_ one: [String], _ other: [String]) -> Bool {
        Set(bytes(one)) == Set(bytes(other))
    }

    private static func bytes(_ names: [String]) -> [[UInt8]] { names.map { Array($0.utf8) } }

    private var bytes: [[[UInt8]]] { [audiences, resources].map(Self.bytes) }

    /// The fields of a token request.
    package var form: [(String, String)] {
        let names = audiences.map { ("audience", $0) } + resources.map { ("resource", $0) }
        return scope.map { names + [("scope", $0.description)] } ?? names
    }
}
