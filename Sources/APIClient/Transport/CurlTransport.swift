// SPDX-License-Identifier: Apache-2.0

#if Curl && canImport(CCurl)
public import AuthCore
import CCurl
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The transport on Linux: libcurl, on one thread for all transports of the process.
///
/// The protocol is HTTP/1.1 over TLS 1.2 or later. Redirects, cookies, `.netrc` and remembered alternatives are off. A
/// connection may take 10 seconds. A kept one is used for 60, by a request that is not idempotent for 2, and not if
/// anything has come on it since its last response. A response's header fields may have 80 KiB. A compressed response is
/// not asked for, and decompressed if it comes: `Content-Encoding` and `Content-Length` are then removed. At most 256
/// requests are on their way at once; others wait for their turn within their own timeouts.
///
/// A process that was forked without `exec` must not use it: it has no such thread.
public final class CurlTransport: Transport, Redacted {
    private let settings: CurlSettings
    private let loop: CurlLoop

    /// Creates a transport with the system's certificate authorities and the environment's proxy.
    public convenience init() { self.init(CurlSettings(), loop: .shared) }

    /// Creates a transport with settings; throws ``TransportError`` (`invalidSettings`).
    ///
    /// Files that can be read and not used are `insecureConnection` with a reason, when a request is sent.
    public convenience init(settings: TransportSettings) throws {
        self.init(try CurlSettings(settings), loop: .shared)
    }

    init(_ settings: CurlSettings, loop: CurlLoop) {
        (self.settings, self.loop) = (settings, loop)
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        let transfer = CurlTransfer(request, url: try request.checkedURL(), settings: settings)
        try await withTaskCancellationHandler {
            loop.hand(transfer)
            try await transfer.end.value()
        } onCancel: {
            transfer.finish(throwing: CancellationError())
            loop.hand(transfer)
        }
        return try transfer.response.take()
    }
}

/// The certificate authorities, the client certificate and the proxy of a transport.
///
/// No setting turns off the verification of a server's certificate.
public struct TransportSettings: Sendable, Redacted {
    /// A certificate that a client presents to servers that request one.
    ///
    /// It goes to every server that asks, with a proof that the client has the key, and with TLS 1.2 an observer can
    /// read it: give the transport only to clients of servers that may know it.
    public struct ClientCertificate: Sendable {
        /// The path of a file in PEM: the client's certificate, followed by those of intermediate authorities.
        public var certificateFile: String
        /// The path of a file in PEM with the unencrypted private key; may be the same file.
        public var privateKeyFile: String

        /// Creates a certificate from files, which are read for each new connection.
        public init(certificateFile: String, privateKeyFile: String) {
            (self.certificateFile, self.privateKeyFile) = (certificateFile, privateKeyFile)
        }
    }

    /// The proxy for every request but those to a loopback host.
    public enum Proxy: Sendable, Redacted {
        /// `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, or the same in lower case, which goes first.
        ///
        /// Read when the transport is created. `HTTP_PROXY` does not count in a CGI program, whose clients set it.
        case environment
        /// No proxy.
        case none
        /// The proxy at a URL, such as `http://user:p%40ss@proxy.example:3128`. Secret, if it has a password.
        ///
        /// The scheme is `http`, `https`, `socks5` or `socks5h`.
        case url(String)
    }

    /// The path of a file in PEM with further authorities to trust; nil for the system's alone.
    public var certificateAuthorities: String?
    /// Whether these add to the system's authorities; false for the variable `SSL_CERT_FILE` of OpenSSL.
    public var trustsSystemAuthorities: Bool
    /// Presented to servers that request one.
    public var clientCertificate: ClientCertificate?
    /// The environment's by default.
    public var proxy: Proxy

    /// Creates settings.
    public init(
        certificateAuthorities: String? = nil,
        trustsSystemAuthorities: Bool = true,
        clientCertificate: ClientCertificate? = nil,
        proxy: Proxy = .environment
    ) {
        (self.certificateAuthorities, self.trustsSystemAuthorities) = (certificateAuthorities, trustsSystemAuthorities)
        (self.clientCertificate, self.proxy) = (clientCertificate, proxy)
    }
}

/// The settings of a transport's transfers.
struct CurlSettings: Sendable {
    /// The file of the only authorities to trust; nil if the system's are trusted too.
    private(set) var authorityFile: String?
    /// The system's authorities and those of a file; nil for the system's alone.
    private(set) var authorities: CurlCertificates?
    private(set) var clientCertificate: TransportSettings.ClientCertificate?
    private(set) var proxy: CurlProxy

    init(proxy: CurlProxy = CurlProxy()) { self.proxy = proxy }

    /// Checks settings; throws ``TransportError`` (`invalidSettings`).
    init(_ settings: TransportSettings) throws {
        proxy = try CurlProxy(settings.proxy)
        if let file = settings.certificateAuthorities {
            guard let pem = Self.contents(of: file, with: "CERTIFICATE-----") else {
                throw Self.error(.certificateAuthorities)
            }
            if settings.trustsSystemAuthorities {
                authorities = CurlCertificates(pem: Self.systemCertificates() + [UInt8(ascii: "\n")] + pem)
            } else {
                authorityFile = file
            }
        }
        if let files = settings.clientCertificate {
            // Only libcurl can tell whether the two belong together; these are the faults of a wrong path.
            guard Self.contents(of: files.certificateFile, with: "CERTIFICATE-----") != nil,
                let key = Self.contents(of: files.privateKeyFile, with: " PRIVATE KEY-----"),
                !String(decoding: key, as: UTF8.self).contains("ENCRYPTED")
            else { throw Self.error(.clientCertificate) }
        }
        clientCertificate = settings.clientCertificate
    }

    fileprivate static func error(_ reason: TransportError.Reason) -> TransportError {
        TransportError(.invalidSettings, mayHaveReachedServer: false, reason: reason)
    }

    /// Returns the certificates that libcurl trusts by itself; none if it has only a folder, which stays trusted.
    private static func systemCertificates() -> [UInt8] {
        // Safe: libcurl's text is constant.
        guard let curl = unsafe CurlOptions.library, let path = unsafe sallyport_curl_authorities(curl) else {
            return []
        }
        return contents(of: unsafe String(cString: path), with: "") ?? []
    }

    /// Returns the contents of a file in PEM; nil if it can't be read, such as a folder, or lacks a mark.
    private static func contents(of path: String, with mark: String) -> [UInt8]? {
        // Not a pipe, which would block.
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        guard type == .typeRegular || type == .typeSymbolicLink,
            let pem = FileManager.default.contents(atPath: path),
            mark.isEmpty || String(decoding: pem, as: UTF8.self).contains(mark)
        else { return nil }
        return Array(pem)
    }
}

/// Certificates in memory that stays where it is; `Sendable` because it does not change.
@safe final class CurlCertificates: @unchecked Sendable {
    let memory: UnsafeMutableRawBufferPointer

    init(pem: [UInt8]) {
        unsafe memory = .allocate(byteCount: pem.count, alignment: 1)
        unsafe memory.copyBytes(from: pem)
    }

    deinit { unsafe memory.deallocate() }
}

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
        case .environment: self = CurlProxy()
        case .none: break
        case .url(let text):
            let url = text.contains("://") ? text : "http://\(text)"
            guard let parts = URLComponents(string: url, encodingInvalidCharacters: false),
                parts.host?.isEmpty == false, (1...65_535).contains(parts.port ?? 1),
                ["http", "https", "socks5", "socks5h"].contains(parts.scheme?.lowercased())
            else { throw CurlSettings.error(.proxy) }
            (http, https) = (text, text)
        }
    }

    /// Reads the environment, where an invalid proxy fails requests, and does not stop the program from starting.
    init(environment variable: (String) -> String? = { ProcessInfo.processInfo.environment[$0] }) {
        func first(_ names: String...) -> String { names.lazy.compactMap(variable).first { !$0.isEmpty } ?? "" }
        // A CGI program gets `HTTP_PROXY` from a request's field `Proxy`: https://httpoxy.org.
        let isCGI = variable("REQUEST_METHOD") != nil
        http = first("http_proxy", isCGI ? "http_proxy" : "HTTP_PROXY", "all_proxy", "ALL_PROXY")
        https = first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        exceptions = first("no_proxy", "NO_PROXY")
    }

    /// Returns the proxy for a request; empty for none, as for a loopback host, whose traffic must not leave the machine.
    ///
    /// libcurl applies the exceptions.
    func address(for request: HTTPRequest) -> String {
        BaseURL.isLoopback(Self.host(of: request)) ? "" : request.scheme == "https" ? https : http
    }

    /// Returns the host and port of the proxy for a request, as a message shows them; nil for none.
    ///
    /// The text of an environment variable may be an invalid URL. Everything before the last `@` is a credential. A port
    /// that is not a number may be part of a credential, and is left out.
    func name(for request: HTTPRequest) -> String? {
        let (host, address) = (Self.host(of: request), address(for: request))
        let isDirect = exceptions.lowercased().split { ", ".contains($0) }.contains { name in
            let name = name.drop { $0 == "." }
            return name == "*" || host == name || host.hasSuffix(".\(name)")
        }
        guard !isDirect, let location = address.split(separator: "@").last else { return nil }
        let start = location.firstRange(of: "://")?.upperBound ?? location.startIndex
        var place = location[start...].prefix { !"/?#".contains($0) }
        if let colon = place.lastIndex(of: ":"), !place.hasSuffix("]"), Int(place[colon...].dropFirst()) == nil {
            place = place[..<colon]
        }
        return DisplayText.clean(String(place), limit: 255)
    }

    private static func host(of request: HTTPRequest) -> String {
        let authority = (request.authority ?? "").lowercased()
        return String(
            authority.hasPrefix("[") ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        )
    }
}
#endif
