// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Hummingbird
internal import ResourceServer

/// The refusal of a request whose address or header fields take too long to compare, before anything compares them.
struct HeadLimit<Next: HTTPResponder>: HTTPResponder where Next.Context == BackendContext {
    let next: Next

    func respond(to request: Request, context: BackendContext) async throws -> Response {
        let texts = [request.head.path ?? ""] + request.headers.map(\.value)
        guard !texts.contains(where: { TextLimit.isExceeded(by: $0.utf8) }) else {
            return JSONResponse.make(APIFailure.invalidRequest("The request is malformed."))
        }
        return try await next.respond(to: request, context: context)
    }
}
