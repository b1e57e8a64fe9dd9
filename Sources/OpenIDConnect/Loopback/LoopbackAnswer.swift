#if LoopbackRedirect
import NIOCore
import NIOHTTP1

/// What the listener says to one request.
struct LoopbackAnswer: Sendable {
    let status: HTTPResponseStatus
    let page: CallbackPage?
    /// The callback that the request brought, where it was let in.
    let guest: CallbackDoor.Guest?
    private let fields: [(String, String)]

    init(
        _ status: HTTPResponseStatus,
        fields: [(String, String)] = [],
        page: CallbackPage? = nil,
        guest: CallbackDoor.Guest? = nil
    ) {
        self.status = status
        self.fields = fields
        self.page = page
        self.guest = guest
    }

    /// The answer to what is no request; nil where nobody is there to read one.
    init?(to error: HTTPParserError) {
        switch error {
        case .headerOverflow: self.init(.requestHeaderFieldsTooLarge)
        case .invalidVersion: self.init(.httpVersionNotSupported)
        case .invalidEOFState, .closedConnection: return nil
        default: self.init(.badRequest)
        }
    }

    var body: ByteBuffer { ByteBuffer(string: page?.html ?? "") }

    /// The head for a body of so many bytes.
    ///
    /// The same care for every answer: the address that was asked for may hold a code.
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
