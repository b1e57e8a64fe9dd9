// SPDX-License-Identifier: Apache-2.0

#if !canImport(FoundationNetworking)
import Foundation

extension RedirectAuthorizer {
    /// Loads a request.
    func data(for request: URLRequest, of session: URLSession) async throws -> (Data, URLResponse) {
        try await session.data(for: request, delegate: self)
    }

    /// Whether a redirected request has the body that it should have.
    func keepsBody(of task: URLSessionTask, in request: URLRequest) -> Bool { true }
}
#endif
