// SPDX-License-Identifier: Apache-2.0

import APIClient
import FoundationEssentials

/// The addresses that a `--for` URL names: those of a server, or those below a path of it.
struct CredentialScope: Sendable {
    private let server: BaseURL
    /// The segments of the path, decoded; empty for the whole server.
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

    /// Returns whether an address is one of these.
    ///
    /// - Parameters:
    ///   - server: The server that asks for a credential. Untrusted, as the path is.
    ///   - requested: The path; nil if the program names none, which is below no path of a URL.
    func contains(_ server: BaseURL, path requested: String?) -> Bool {
        guard isSecure, server.origin == self.server.origin else { return false }
        if path.isEmpty { return true }
        return requested.flatMap(Self.segments)?.starts(with: path) ?? false
    }

    /// Returns the segments of a path; nil if a server may take it for another path, as one with an escape.
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
