import APIClient
import AuthSession
import FoundationEssentials

/// A path, or a URL at the address that was signed in at, as `sallyport api` takes it.
struct APITarget {
    let path: String
    let query: [QueryItem]

    /// Where the session's token may go.
    ///
    /// A provider's tokens are for APIs elsewhere: there the person says which.
    ///
    /// - Parameters:
    ///   - text: A path or a URL.
    ///   - backend: Where the session signed in.
    /// - Returns: The address of the API.
    /// - Throws: `BaseURLError`; ``Failure`` if the token would go over plain http although its issuer is at https: any
    ///   user of this machine can listen on a loopback port.
    static func base(of text: String, for backend: SessionBackend) throws -> BaseURL {
        guard backend.provider != nil else { return backend.baseURL }
        guard text.contains("://") else { return try BaseURL(backend.baseURL.origin) }
        let base = try BaseURL(try AbsoluteURL(text).origin)
        guard !isPlain(base) || isPlain(backend.baseURL) else {
            throw Failure(
                .wrongArguments,
                "The token of this session is not sent over plain http: its issuer is at https.",
                "Use https."
            )
        }
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
                    "This URL is not at the address that was signed in at.",
                    "The session's token goes to \(base.origin) and to no other."
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
            throw Failure(.wrongArguments, "A path begins with a slash.", "Give one such as /api/jobs.")
        }
        self.path = path
        query = parts.count > 1 ? try Self.items(parts[1]) : []
    }

    /// Whether an address is at plain http, which `BaseURL` takes for a loopback address alone.
    private static func isPlain(_ url: BaseURL) -> Bool { url.origin.hasPrefix("http://") }

    private static func items(_ query: String) throws -> [QueryItem] {
        guard let items = URLComponents(string: "?" + query, encodingInvalidCharacters: true)?.queryItems else {
            throw Failure(.wrongArguments, "The query can't be read.", "Encode it as name=value&name=value.")
        }
        return items.map { QueryItem(name: $0.name, value: $0.value ?? "") }
    }
}
