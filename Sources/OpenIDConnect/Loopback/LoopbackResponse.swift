// SPDX-License-Identifier: Apache-2.0

#if LoopbackRedirect && (os(Linux) || os(macOS))
import NIOCore
import NIOHTTP1

/// The listener's response to one request.
struct LoopbackResponse: Sendable {
    let status: HTTPResponseStatus
    let page: CallbackPage?
    /// The callback or one-time redirect that the request used, if any.
    let callback: CallbackRouter.AcceptedCallback?
    private let fields: [(String, String)]

    init(
        _ status: HTTPResponseStatus,
        fields: [(String, String)] = [],
        page: CallbackPage? = nil,
        callback: CallbackRouter.AcceptedCallback? = nil
    ) {
        self.status = status
        self.fields = fields
        self.page = page
        self.callback = callback
    }

    /// Creates the response to a malformed request; nil if the client is gone.
    init?(to error: HTTPParserError) {
        switch error {
        case .headerOverflow: self.init(.requestHeaderFieldsTooLarge)
        case .invalidVersion: self.init(.httpVersionNotSupported)
        case .invalidEOFState, .closedConnection: return nil
        default: self.init(.badRequest)
        }
    }

    var body: ByteBuffer { ByteBuffer(string: page?.html ?? "") }

    /// Returns the response's head.
    ///
    /// Every response has the same security headers, because any requested URL may contain a code.
    func head(contentLength: Int) -> HTTPResponseHead {
        var headers: HTTPHeaders = [
            "Cache-Control": "no-store",
            "Connection": "close",
            "Content-Length": "\(contentLength)",
            "Content-Security-Policy": CallbackPage.contentSecurityPolicy,
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
        ]
        if page != nil { headers.add(name: "Content-Type", value: "text/html; charset=utf-8") }
        for (name, value) in fields { headers.add(name: name, value: value) }
        return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }
}
#endif
