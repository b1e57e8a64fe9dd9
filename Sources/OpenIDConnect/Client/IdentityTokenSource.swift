// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// A source of identity tokens: JWTs that another program issues to this one, and renews.
///
/// Such a program is Kubernetes, GitHub Actions, or a cloud's metadata server. Each request takes the token anew. It is
/// neither kept nor stored. Sources are equal if they have the same path or the same name, byte for byte.
/// [RFC 7521, 4](https://www.rfc-editor.org/rfc/rfc7521#section-4).
public struct IdentityTokenSource: Sendable, Equatable, Redacted {
    /// A function that returns the current identity token.
    ///
    /// Secret.
    public typealias Provider = @Sendable () async throws -> String

    /// The largest token in bytes, with the whitespace around it.
    private static let maximumSize = 65_536

    /// The kind of source, and the path or the name.
    let identity: [JSONValue]
    private let content: Provider

    /// Creates the source of a token in a file, such as Kubernetes' projected token.
    ///
    /// The file is read for each request, because the other program replaces it. It must be a regular file, or a
    /// symbolic link to one, of at most 64 KiB. It holds one JWT in the compact form. Whitespace around it is ignored.
    public static func file(path: String) -> IdentityTokenSource {
        IdentityTokenSource(identity: [.string("file"), .string(path)]) {
            // The system would open another file: it ends a path at NUL.
            guard !path.utf8.contains(0) else { throw OpenIDError(.clientAssertion, .identityTokenUnreadable) }
            return String(decoding: try await IdentityTokenFile.bytes(at: path, limit: maximumSize), as: UTF8.self)
        }
    }

    /// Creates a source of tokens that the app gets by itself.
    ///
    /// - Parameters:
    ///   - name: The name of the identity that the tokens prove, such as the service account's. A stored token of one
    ///     name is not used for another, so each identity needs its own. Not secret.
    ///   - provider: The function, called for each request, from any task, and cancelled after the timeout of
    ///     ``ProviderSettings``. Its error is the `underlying` one of ``OpenIDError`` `identityTokenUnreadable`.
    public static func provided(named name: String, by provider: @escaping Provider) -> IdentityTokenSource {
        IdentityTokenSource(identity: [.string("name"), .string(name)], content: provider)
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.identity.elementsEqual(right.identity) { mine, theirs in
            // Two names may look alike, such as with a composed and a decomposed accent.
            (mine.string ?? "").utf8.elementsEqual((theirs.string ?? "").utf8)
        }
    }

    /// Returns the current identity token, whose form alone is checked.
    ///
    /// - Returns: The token in the compact form. Secret.
    /// - Throws: ``OpenIDError``; `CancellationError`.
    func token() async throws -> String {
        let text: String
        do {
            text = try await content()
        } catch let error where !(error is CancellationError || (error as? OpenIDError)?.operation == .clientAssertion)
        {
            throw OpenIDError(.clientAssertion, .identityTokenUnreadable, underlying: error)
        }
        guard text.utf8.count <= Self.maximumSize else { throw OpenIDError(.clientAssertion, .identityTokenUnreadable) }
        let token = Self.trimmed(text)
        // RFC 7515, 7.1. A token without a signature proves nothing.
        guard (try? UnverifiedJWT(token)) != nil, token.utf8.last != UInt8(ascii: ".") else {
            throw OpenIDError(.clientAssertion, .identityTokenMalformed)
        }
        return token
    }

    private static func trimmed(_ text: String) -> String {
        let isSpace = { (byte: UInt8) in [0x09, 0x0A, 0x0D, 0x20].contains(byte) }
        let begin = text.utf8.drop(while: isSpace)
        guard let last = begin.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(decoding: begin[...last], as: UTF8.self)
    }
}
