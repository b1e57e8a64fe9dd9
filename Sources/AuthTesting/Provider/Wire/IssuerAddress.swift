import HTTPTypes

/// Where a provider is.
struct IssuerAddress: Sendable {
    /// As it was given: compared and said exactly so.
    let issuer: String
    /// Scheme and authority.
    let origin: String
    /// The issuer's path, without a slash at its end.
    let path: String

    init(_ issuer: String) {
        self.issuer = issuer
        let scheme = issuer.prefix { $0 != ":" }
        let rest = issuer.dropFirst(scheme.count + "://".count)
        let authority = rest.prefix { $0 != "/" }
        origin = "\(scheme)://\(authority)".lowercased()
        var path = rest.dropFirst(authority.count)
        if path.last == "/" { path.removeLast() }
        self.path = String(path)
    }

    /// The address of an endpoint.
    func url(_ endpoint: InProcessProvider.Endpoint) -> String { origin + path + endpoint.path }

    /// Whose path it is; nil for none.
    func endpoint(at path: String) -> InProcessProvider.Endpoint? {
        // RFC 8414, 3.1 puts the issuer's path behind the well-known part, OpenID Connect Discovery 4 before it.
        if path == "/.well-known/oauth-authorization-server" + self.path { return .discovery }
        guard path.hasPrefix(self.path) else { return nil }
        let rest = path.dropFirst(self.path.count)
        if rest.hasPrefix(InProcessProvider.Endpoint.api.path + "/") { return .api }
        return InProcessProvider.Endpoint.all.first { $0.path == rest }
    }
}
