// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import ResourceServer

/// The middleware that turns every error into a response, counts the response and logs one line about it.
///
/// The line has the method, the path without its query, the status, the duration, and the code of an error: enough to
/// follow a client, and nothing secret.
struct RequestLogMiddleware: RouterMiddleware {
    typealias Context = BackendContext

    let logger: Logger
    let statistics: BackendStatistics
    /// The allowed methods of each path of this server.
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
        if let refusal = error as? AccessTokenError { return APIFailure(refusal) }
        if let error = error as? HTTPError, error.status == .notFound {
            guard let allowed = methods[request.routedPath] else { return .notFound }
            return .methodNotAllowed(allowed: allowed.sorted())
        }
        if let error = error as? any HTTPResponseError, error.status.kind == .clientError {
            return .invalidRequest("The request is malformed.")
        }
        // Logs only the type, because an error's text may quote its input.
        logger.error("a request failed", metadata: ["error": "\(type(of: error))"])
        return .internalError
    }

    private func record(_ request: Request, _ response: Response, code: String?, duration: Duration) {
        let path = request.routedPath
        let known = methods[path] != nil
        let status = response.status.code
        statistics.record(method: request.method.rawValue, route: known ? path : "other", status: status)
        let milliseconds = duration / .milliseconds(1)
        // Shows an unknown path as sent, shortened, without characters that could forge a line.
        let sent = request.uri.path.prefix(120)
        let shown = known ? path : String(sent.filter { $0.isASCII && !$0.isNewline && $0 != "\u{1B}" })
        let suffix = code.map { " \($0)" } ?? ""
        logger.info("\(request.method.rawValue) \(shown) \(status) \(Int(milliseconds.rounded())) ms\(suffix)")
    }
}
