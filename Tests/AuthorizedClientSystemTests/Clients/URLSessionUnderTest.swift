// SPDX-License-Identifier: Apache-2.0

import APIClient
import URLSessionAuthorization

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// Whether this platform sends a redirected request with its body.
private let systemKeepsRedirectedBodies = false
#else
import Foundation

/// Whether this platform sends a redirected request with its body.
private let systemKeepsRedirectedBodies = true
#endif

extension AuthorizedClient {
    /// A session with the system's default settings, but without a store of cookies and responses.
    static let urlSession = AuthorizedClient(
        description: "URLSession",
        followsRedirectsWithBody: systemKeepsRedirectedBodies
    ) { address, source in
        let client = OwnedSession()
        guard let url = URL(string: address + "/job") else { throw URLError(.badURL) }
        return { body in
            var request = URLRequest(url: url)
            if body != .none { request.httpMethod = "POST" }
            if body == .replayable { request.httpBody = Data(Body.bytes) }
            if body == .once { request.httpBodyStream = InputStream(data: Data(Body.bytes)) }
            let (_, response) = try await client.session.data(for: request, authorizedBy: source)
            return (response as? HTTPURLResponse)?.statusCode ?? 0
        }
    }
}

/// A `URLSession` that ends with this object.
private final class OwnedSession: Sendable {
    let session = URLSession(configuration: .ephemeral)

    deinit { session.finishTasksAndInvalidate() }
}
