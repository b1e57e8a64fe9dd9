// SPDX-License-Identifier: Apache-2.0

#if Curl && canImport(CCurl)
public import AuthCore

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
    public convenience init() {
        self.init(CurlSettings(), loop: .shared)
    }

    init(_ settings: CurlSettings, loop: CurlLoop) {
        (self.settings, self.loop) = (settings, loop)
    }

    /// Creates a transport with settings.
    ///
    /// - Throws: ``TransportSettingsError`` (`unreadableCertificates`, `unreadableClientCertificate`, `invalidProxy`).
    ///   Files that can be read and not used are ``TransportError`` `insecureConnection` with a reason.
    public convenience init(settings: TransportSettings) throws {
        self.init(try CurlSettings(settings), loop: .shared)
    }

    /// Sends one request.
    ///
    /// If the task is cancelled it throws at once; the connection is closed soon after, by libcurl's thread.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        let transfer = CurlTransfer(request, url: try RequestCheck(request).url, settings: settings)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if transfer.begin(continuation) { loop.add(transfer) }
            }
        } onCancel: {
            if transfer.finish(throwing: CancellationError()) { loop.cancel(transfer) }
        }
        return try transfer.response()
    }
}
#endif
