// SPDX-License-Identifier: Apache-2.0

import APIClient
public import AuthCore

/// A source of identity tokens: JWTs that another program issues to this one, and renews.
///
/// Such a program is Kubernetes, GitHub Actions, or a cloud's metadata server. Each request takes the token anew. It is
/// neither kept nor stored. Printing a source shows nothing. Sources are equal if they have the same path or the same
/// name.
/// [RFC 7521, 4](https://www.rfc-editor.org/rfc/rfc7521#section-4).
public struct IdentityTokenSource: Sendable, Equatable, Redacted {
    /// A function that returns the current identity token.
    ///
    /// Secret.
    public typealias Provider = @Sendable () async throws -> String

    private enum Source: Sendable {
        case file(path: String)
        case provider(name: String, Provider)
    }

    /// The largest token in bytes, with the whitespace around it.
    private static let maximumSize = 65_536

    private let source: Source

    /// Creates the source of a token in a file, such as Kubernetes' projected token.
    ///
    /// The file is read for each request, because the other program replaces it. It must be a regular file, or a
    /// symbolic link to one, of at most 64 KiB. It holds one JWT in the compact form. Whitespace around it is ignored.
    ///
    /// - Parameter path: The path of the file. Stored with a session; not secret.
    public static func file(path: String) -> IdentityTokenSource { IdentityTokenSource(source: .file(path: path)) }

    /// Creates a source of tokens that the app gets by itself.
    ///
    /// The function is not stored with a session. To refresh a stored session, give the app's backend the source again.
    ///
    /// - Parameters:
    ///   - name: The name of the identity that the tokens prove, such as the service account's. A session of one name
    ///     is not used for another, so each identity needs its own. Compared byte for byte. Stored with a session; not
    ///     secret.
    ///   - provider: The function, called for each request, from any task, and cancelled after the timeout of
    ///     ``ProviderSettings``. Its error is the `underlying` one of ``OpenIDError``
    ///     `identityTokenUnreadable`.
    public static func provided(named name: String, by provider: @escaping Provider) -> IdentityTokenSource {
        IdentityTokenSource(source: .provider(name: name, provider))
    }

    /// The path of the file, for the store; nil if the app provides the tokens.
    package var path: String? {
        if case .file(let path) = source { path } else { nil }
    }

    /// The name of the identity, for the store; nil if the tokens are in a file.
    package var name: String? {
        if case .provider(let name, _) = source { name } else { nil }
    }

    /// Returns whether both have the same path, or the same name.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left.source, right.source) {
        case (.file(let left), .file(let right)), (.provider(let left, _), .provider(let right, _)):
            left.utf8.elementsEqual(right.utf8)
        default: false
        }
    }

    /// Returns the source of a stored session whose function is known only to the app.
    ///
    /// - Returns: The source. It throws ``OpenIDError`` (`keyUnavailable`) for each token.
    package static func unavailable(named name: String) -> IdentityTokenSource {
        .provided(named: name) { throw OpenIDError(.clientAssertion, .keyUnavailable) }
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

    private func content() async throws -> String {
        switch source {
        case .provider(_, let provide): return try await provide()
        case .file(let path):
            // The system would open another file: it ends a path at NUL.
            guard !path.utf8.contains(0) else { throw OpenIDError(.clientAssertion, .identityTokenUnreadable) }
            return String(decoding: try await IdentityTokenFile.bytes(at: path, limit: Self.maximumSize), as: UTF8.self)
        }
    }

    private static func trimmed(_ text: String) -> String {
        let isSpace = { (byte: UInt8) in [0x09, 0x0A, 0x0D, 0x20].contains(byte) }
        let begin = text.utf8.drop(while: isSpace)
        guard let last = begin.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(decoding: begin[...last], as: UTF8.self)
    }
}
