// SPDX-License-Identifier: Apache-2.0

import APIClient
import URLSessionAuthorization

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#else
import Foundation
#endif

extension AuthorizedClient {
    /// A session with the system's default settings, but without a store of cookies and responses.
    static let urlSession = AuthorizedClient(description: "URLSession", start: { try HTTPResourceServer($0) }) {
        address,
        body,
        source in
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        guard let url = URL(string: address + "/job") else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        if body != .none { request.httpMethod = "POST" }
        if body == .replayable { request.httpBody = Data(Body.bytes) }
        if body == .once { request.httpBodyStream = InputStream(data: Data(Body.bytes)) }
        let (_, response) = try await session.data(for: request, authorizedBy: source)
        return (response as? HTTPURLResponse)?.statusCode ?? 0
    }
}
