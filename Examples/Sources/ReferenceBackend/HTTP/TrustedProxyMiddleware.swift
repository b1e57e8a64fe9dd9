// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Hummingbird

/// The middleware that finds the client behind a trusted proxy.
///
/// Without it, all clients of the proxy are one network, and one of them can use up the limits of all.
struct TrustedProxyMiddleware: RouterMiddleware {
    typealias Context = BackendContext

    /// The address of the proxy.
    let proxy: IPAddress
    private static let field = HTTPField.Name("X-Forwarded-For")

    func handle(
        _ request: Request,
        context: BackendContext,
        next: @concurrent (Request, BackendContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if context.peer == proxy, let client = Self.lastHop(of: request) { context.network = ClientNetwork(client) }
        return try await next(request, context)
    }

    /// Returns the address that the proxy appended, or nil if there is none.
    ///
    /// The addresses before it come from the client, which can invent them.
    private static func lastHop(of request: Request) -> IPAddress? {
        let hops = field.flatMap { request.headers[$0] } ?? ""
        return hops.split(separator: ",", omittingEmptySubsequences: false).last.flatMap { IPAddress($0.trimmed) }
    }
}
