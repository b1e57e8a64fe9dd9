// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// The claims of an assertion with which a program requests a token for itself or for a user.
///
/// Claims are equal if their texts are byte for byte.
/// [RFC 7523, 3](https://www.rfc-editor.org/rfc/rfc7523#section-3).
public struct AssertionClaims: Sendable, Hashable {
    /// The longest lifetime that a server such as Google accepts.
    private static let longest = Duration.seconds(3_600)

    /// The name of the signer, such as the client ID or a service account's email address.
    ///
    /// Wire: `iss`.
    public let issuer: String
    /// The user or account that the token is for; nil to send none.
    ///
    /// RFC 7523 requires one. Google requires one only if a service account acts for a user.
    ///
    /// Wire: `sub`.
    public let subject: String?
    /// The server that the assertion is for; nil for the ``ClientAssertionKey/audience`` of the key.
    ///
    /// Wire: `aud`.
    public let audience: String?
    /// The time for which an assertion is valid, from one second to one hour.
    ///
    /// Wire: `exp` minus `iat`.
    public let lifetime: Duration
    /// The other claims by name, such as Google's `scope`.
    ///
    /// They don't replace `iss`, `sub`, `aud`, `iat`, `exp` and `jti`. Stored with a session; not secret.
    public let additionalClaims: [String: JSONValue]

    /// Creates claims.
    ///
    /// - Parameters:
    ///   - subject: The user or account that the token is for; nil to send none.
    ///   - audience: The server that the assertion is for; nil for the audience of the key.
    ///   - lifetime: The time for which an assertion is valid. More than an hour counts as an hour, less than a second
    ///     as a second.
    public init(
        issuer: String,
        subject: String? = nil,
        audience: String? = nil,
        lifetime: Duration = .seconds(300),
        additionalClaims: [String: JSONValue] = [:]
    ) {
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.lifetime = min(max(lifetime, .seconds(1)), Self.longest)
        self.additionalClaims = additionalClaims
    }

    /// Returns whether both have the same claims, byte for byte.
    ///
    /// Two users may have names that look alike, such as with a composed and a decomposed accent.
    public static func == (left: Self, right: Self) -> Bool {
        left.names == right.names && left.lifetime == right.lifetime
            && JSONValue.object(left.additionalClaims).isIdentical(to: .object(right.additionalClaims))
    }

    /// Hashes the bytes of the names, and the lifetime.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(names)
        hasher.combine(lifetime)
    }

    private var names: [[UInt8]?] { [issuer, subject, audience].map { name in name.map { Array($0.utf8) } } }

    /// Returns the claims of one assertion, without its ID.
    ///
    /// - Parameters:
    ///   - usual: The audience if the claims name none.
    ///   - issuedAt: The time in seconds since 1970, by the server's clock as far as it is known.
    func members(audience usual: String, issuedAt: Int64) -> [String: JSONValue] {
        var members = additionalClaims
        members["iss"] = .string(issuer)
        members["sub"] = subject.map { .string($0) }
        members["aud"] = .string(audience ?? usual)
        members["iat"] = .integer(issuedAt)
        members["exp"] = .integer(issuedAt + lifetime.components.seconds)
        return members
    }
}

extension JSONValue {
    /// Returns whether both are equal, and all texts in them byte for byte.
    fileprivate func isIdentical(to other: JSONValue) -> Bool {
        switch (self, other) {
        case (.string(let mine), .string(let theirs)):
            return mine.utf8.elementsEqual(theirs.utf8)
        case (.array(let mine), .array(let theirs)):
            return mine.count == theirs.count && zip(mine, theirs).allSatisfy { $0.isIdentical(to: $1) }
        case (.object(let mine), .object(let theirs)):
            return mine.count == theirs.count
                && mine.allSatisfy { name, value in
                    theirs.index(forKey: name).map { index in
                        theirs[index].key.utf8.elementsEqual(name.utf8) && value.isIdentical(to: theirs[index].value)
                    } ?? false
                }
        default:
            return self == other
        }
    }
}
