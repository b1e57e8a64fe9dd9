// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The URL of a provider.
struct IssuerAddress: Sendable {
    /// The issuer as given, compared and sent without changes.
    let issuer: String
    /// The scheme and the authority.
    let origin: String
    /// The issuer's path, without a trailing slash.
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

    /// Returns the URL of an endpoint.
    func url(_ endpoint: InProcessProvider.Endpoint) -> String { origin + path + endpoint.path }

    /// Returns the endpoint at a path; nil if the path belongs to no endpoint.
    func endpoint(at path: String) -> InProcessProvider.Endpoint? {
        // RFC 8414, 3.1 puts the issuer's path after the well-known part, OpenID Connect Discovery 4 before it.
        if path == "/.well-known/oauth-authorization-server" + self.path { return .discovery }
        guard path.hasPrefix(self.path) else { return nil }
        let rest = path.dropFirst(self.path.count)
        if rest.hasPrefix(InProcessProvider.Endpoint.api.path + "/") { return .api }
        // The path of the API itself is no resource.
        return InProcessProvider.Endpoint(rawValue: String(rest)).flatMap { $0 == .api ? nil : $0 }
    }
}
