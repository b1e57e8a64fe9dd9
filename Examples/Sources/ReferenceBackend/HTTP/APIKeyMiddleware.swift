internal import HTTPTypes
internal import Hummingbird

/// Asks every call under `/api` for the app's key.
///
/// The refusal is no Bearer challenge: no token would help, and a client must not refresh because of it.
struct APIKeyMiddleware: RouterMiddleware {
    typealias Context = BackendContext

    /// The key.
    ///
    /// Secret.
    let key: String
    private static let field = HTTPField.Name("X-API-Key")

    func handle(
        _ request: Request,
        context: BackendContext,
        next: @concurrent (Request, BackendContext) async throws -> Response
    ) async throws -> Response {
        guard request.uri.path.hasPrefix("/api/") else { return try await next(request, context) }
        let sent = Self.field.flatMap { request.headers[$0] } ?? ""
        guard ConstantTime.equal(sent, key) else { throw APIFailure.invalidAPIKey }
        return try await next(request, context)
    }
}
