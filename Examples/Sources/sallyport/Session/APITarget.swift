import APIClient
import FoundationEssentials

/// A path, or a URL at the address that was signed in at, as `sallyport api` takes it.
struct APITarget {
    let path: String
    let query: [QueryItem]

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
        query = parts.count > 1 ? parts[1].split(separator: "&").map(Self.item) : []
    }

    private static func item(_ pair: Substring) -> QueryItem {
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let plain = parts.map { $0.replacing("+", with: " ").removingPercentEncoding ?? String($0) }
        return QueryItem(name: plain[0], value: plain.count > 1 ? plain[1] : "")
    }
}
