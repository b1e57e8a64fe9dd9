// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Hummingbird

/// The middleware that requires the app's key for every request under `/api`.
///
/// Pages that a browser opens are an exception, because a browser has no key.
///
/// The response has no Bearer challenge: no token would help, and a client must not refresh because of it.
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
        guard Self.isUnderAPI(request), !AppleRedirectRoutes.browserPaths.contains(request.routedPath) else {
            return try await next(request, context)
        }
        let sent = Self.field.flatMap { request.headers[$0] } ?? ""
        guard ConstantTime.equal(sent, key) else { throw APIFailure.invalidAPIKey }
        return try await next(request, context)
    }

    /// Returns whether a path is under `/api`, split as the router splits it.
    ///
    /// A percent-encoded first component counts too: the router doesn't decode it today, and no public path needs one.
    private static func isUnderAPI(_ request: Request) -> Bool {
        guard let first = request.pathComponents.first else { return false }
        return first == "api" || first.contains("%")
    }
}
