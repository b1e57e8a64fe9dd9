// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthSession
import FoundationEssentials
import OpenIDSession

/// The target of `sallyport api`: a path, or a URL at the address of the sign-in.
struct APITarget {
    let path: String
    let query: [(String, String)]

    /// Returns the address to which the session's token may be sent.
    ///
    /// A provider's tokens are for APIs elsewhere, so the user gives the API's address, at the sign-in or here.
    ///
    /// - Parameters:
    ///   - text: A path or a URL.
    ///   - session: The session.
    ///   - origins: The origins that the user allows in addition to those of the sign-in's APIs.
    /// - Returns: The address of the API.
    /// - Throws: `BaseURLError`; ``Failure`` if the sign-in has named other APIs, and as
    ///   ``KeptSession/checkScheme(of:)``.
    static func base(of text: String, for session: any KeptSession, allowing origins: Set<String>) throws -> BaseURL {
        guard session.anyProvider != nil else { return session.server }
        let base = try BaseURL(originOf: text.contains("://") ? text : session.server.origin)
        guard session.allowedOrigins?.union(origins).contains(base.origin) ?? true else {
            throw Failure(
                .wrongArguments,
                "The sign-in was for another API, so its token is not sent to \(base.origin).",
                "Use --allow-origin \(base.origin) if that server may have the token, or sign in with --resource."
            )
        }
        try session.checkScheme(of: base)
        return base
    }

    init(_ text: String, at base: BaseURL) throws {
        var rest = text
        if text.contains("://") {
            guard let url = URL(string: text), let host = url.host(percentEncoded: false), let scheme = url.scheme,
                try BaseURL("\(scheme)://\(host.contains(":") ? "[\(host)]" : host)\(url.port.map { ":\($0)" } ?? "")")
                    .origin == base.origin, url.user == nil
            else {
                throw Failure(
                    .wrongArguments,
                    "This URL is not at the session's backend.",
                    "The session's token is sent only to \(base.origin)."
                )
            }
            rest = url.path(percentEncoded: true) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
            guard rest.hasPrefix(base.pathPrefix) else {
                throw Failure(.wrongArguments, "This URL is not below \(base).", "Check the path.")
            }
            rest.removeFirst(base.pathPrefix.count)
        }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let path = parts.first, path.hasPrefix("/") else {
            throw Failure(.wrongArguments, "A path begins with a slash.", "Use a path such as /api/jobs.")
        }
        self.path = path
        query = parts.count > 1 ? try Self.items(parts[1]) : []
    }

    private static func items(_ query: String) throws -> [(String, String)] {
        guard let items = URLComponents(string: "?" + query, encodingInvalidCharacters: true)?.queryItems else {
            throw Failure(.wrongArguments, "The query can't be read.", "Encode it as name=value&name=value.")
        }
        return items.map { ($0.name, $0.value ?? "") }
    }
}
