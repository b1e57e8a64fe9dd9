// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import APIClient
import Foundation

extension AuthorizedClient {
    /// A session with the system's default settings, but without a store of cookies and responses.
    static let urlSession = AuthorizedClient(description: "URLSession", followsRedirects: false) { address, source in
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
#endif
