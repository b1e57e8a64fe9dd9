// SPDX-License-Identifier: Apache-2.0

import APIClient
import FoundationEssentials

/// The repositories that a `--for` URL names: those of a server, or those below a path of it.
struct GitCredentialScope: Sendable {
    private let server: BaseURL
    /// The segments of the path, decoded as git decodes them; empty for the whole server.
    private let path: [[UInt8]]
    /// Whether the URL is on https or loopback.
    ///
    /// A URL that is neither matches no request.
    let isSecure: Bool

    /// Reads a URL.
    ///
    /// - Parameter text: The URL from the arguments.
    /// - Throws: `BaseURLError`; ``Failure`` (`wrongArguments`) if the path can't be compared.
    init(_ text: String) throws {
        server = try BaseURL(text, insecureHTTP: .insecurelyAllowHTTP)
        isSecure = (try? BaseURL(text)) != nil
        let prefix = server.pathPrefix
        guard !prefix.isEmpty else {
            path = []
            return
        }
        // The path is empty if it can't be decoded. That must not open the whole server.
        guard let decoded = URLComponents(string: prefix)?.path, let path = Self.segments(decoded) else {
            throw Failure(.wrongArguments, "The path of a --for URL can't be compared.", "Use a plain path.")
        }
        self.path = path
    }

    /// Returns whether a request is for one of these repositories.
    func contains(_ request: GitCredentialRequest) -> Bool {
        guard isSecure, request.server.origin == server.origin else { return false }
        if path.isEmpty { return true }
        return request.path.flatMap(Self.segments)?.starts(with: path) ?? false
    }

    /// Returns the segments of a decoded path; nil if a server may take it for another path.
    ///
    /// The bytes are compared, because texts that look alike are other paths.
    private static func segments(_ path: String) -> [[UInt8]]? {
        var bytes = Array(path.utf8)[...]
        if bytes.first == UInt8(ascii: "/") { bytes.removeFirst() }
        if bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && !"\\%?#;".utf8.contains($0) }) else { return nil }
        let segments = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
        let special = ["", ".", ".."].map { Array($0.utf8) }
        return segments.contains(where: special.contains) ? nil : segments
    }
}
