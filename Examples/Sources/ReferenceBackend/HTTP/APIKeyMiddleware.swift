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
        guard Self.isUnderAPI(request) else { return try await next(request, context) }
        let sent = Self.field.flatMap { request.headers[$0] } ?? ""
        guard ConstantTime.equal(sent, key) else { throw APIFailure.invalidAPIKey }
        return try await next(request, context)
    }

    /// Whether a request is for something under `/api`, read as the router reads it.
    ///
    /// A first component that hides behind percent-encoding counts too: the router does not decode it today, and no
    /// path that is open has a need for it.
    private static func isUnderAPI(_ request: Request) -> Bool {
        guard let first = request.pathComponents.first else { return false }
        return first == "api" || first.contains("%")
    }
}
