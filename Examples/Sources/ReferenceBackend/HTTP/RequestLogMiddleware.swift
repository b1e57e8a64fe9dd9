internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// Turns every error into an answer, counts the answer and logs one line about it.
///
/// The line has the method, the path without its query, the status, the time taken, and for a refusal its code:
/// enough to follow what a client does, and nothing that is secret.
struct RequestLogMiddleware: RouterMiddleware {
    typealias Context = BackendContext

    let logger: Logger
    let statistics: BackendStatistics
    /// What each path of this server answers to.
    let methods: [String: Set<String>]

    func handle(
        _ request: Request,
        context: BackendContext,
        next: @concurrent (Request, BackendContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var response: Response
        var code: String?
        do {
            response = try await next(request, context)
        } catch {
            let failure = failure(for: error, request: request)
            response = JSONResponse.make(failure)
            code = failure.code
        }
        if request.method == .head { response = response.createHeadResponse() }
        record(request, response, code: code, duration: start.duration(to: .now))
        return response
    }

    private func failure(for error: any Error, request: Request) -> APIFailure {
        if let failure = error as? APIFailure { return failure }
        if let error = error as? HTTPError, error.status == .notFound {
            guard let allowed = methods[request.routedPath] else { return .notFound }
            return .methodNotAllowed(allowed: allowed.sorted())
        }
        if let error = error as? any HTTPResponseError, error.status.kind == .clientError {
            return .invalidRequest("The request can't be understood.")
        }
        // The type only: an error's text may quote what it failed on.
        logger.error("a request failed", metadata: ["error": "\(type(of: error))"])
        return .internalError
    }

    private func record(_ request: Request, _ response: Response, code: String?, duration: Duration) {
        let path = request.routedPath
        let known = methods[path] != nil
        let status = response.status.code
        statistics.record(method: request.method.rawValue, route: known ? path : "other", status: status)
        let milliseconds = duration / .milliseconds(1)
        // A stranger's path is shown as sent, shortened to what can't forge a line.
        let sent = request.uri.path.prefix(120)
        let shown = known ? path : String(sent.filter { $0.isASCII && !$0.isNewline && $0 != "\u{1B}" })
        let suffix = code.map { " \($0)" } ?? ""
        logger.info("\(request.method.rawValue) \(shown) \(status) \(Int(milliseconds.rounded())) ms\(suffix)")
    }
}
