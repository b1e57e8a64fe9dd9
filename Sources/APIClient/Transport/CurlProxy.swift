// SPDX-License-Identifier: Apache-2.0

#if Curl && canImport(CCurl)
import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The proxies of a transport, as libcurl takes them: an empty text is no proxy.
///
/// The environment is read here and once. libcurl would read it for each connection, on its own thread, while the app
/// may be changing it.
struct CurlProxy: Sendable, Redacted {
    private var http = ""
    private var https = ""
    /// The hosts that are reached directly, in the form of `NO_PROXY`.
    private(set) var exceptions = ""

    init(_ setting: TransportSettings.Proxy) throws {
        switch setting {
        case .environment: self = .environment()
        case .none: break
        case .url(let text):
            guard Self.isValid(text) else { throw TransportSettingsError(.invalidProxy) }
            (http, https) = (text, text)
        }
    }

    private init() {}

    /// Reads the environment.
    ///
    /// A proxy there that is invalid fails requests, and does not stop the program from starting.
    static func environment(_ variable: (String) -> String? = Self.variable) -> CurlProxy {
        var proxy = CurlProxy()
        func first(_ names: String...) -> String? { names.lazy.compactMap(variable).first { !$0.isEmpty } }
        let all = first("all_proxy", "ALL_PROXY") ?? ""
        // A CGI program gets `HTTP_PROXY` from a request's field `Proxy`: https://httpoxy.org.
        let upper = variable("REQUEST_METHOD") == nil ? first("HTTP_PROXY") : nil
        proxy.http = first("http_proxy") ?? upper ?? all
        proxy.https = first("https_proxy", "HTTPS_PROXY") ?? all
        proxy.exceptions = first("no_proxy", "NO_PROXY") ?? ""
        return proxy
    }

    private static func variable(_ name: String) -> String? {
        // Safe: the value is copied before anything else runs on this thread.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// Returns the proxy for a request; empty for none.
    ///
    /// A request to a loopback host counts as safe because it stays on the machine, so no proxy may see it.
    func address(for request: HTTPRequest) -> String {
        let address = request.scheme == "https" ? https : http
        guard !address.isEmpty, let authority = request.authority?.lowercased() else { return "" }
        let host =
            authority.hasPrefix("[")
            ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        return LoopbackHost.contains(String(host)) ? "" : address
    }

    private static func isValid(_ text: String) -> Bool {
        let url = text.contains("://") ? text : "http://\(text)"
        guard let parts = URLComponents(string: url, encodingInvalidCharacters: false) else { return false }
        return parts.host?.isEmpty == false && (1...65_535).contains(parts.port ?? 1)
            && ["http", "https", "socks5", "socks5h"].contains(parts.scheme?.lowercased())
    }
}
#endif
