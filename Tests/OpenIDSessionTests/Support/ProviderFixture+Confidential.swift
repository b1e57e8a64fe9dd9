// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import OpenIDConnect

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

extension ProviderFixture {
    static let clientSecret = "s3cr3t:of the+client"

    /// Returns a fixture with a confidential client.
    static func confidential(_ method: InProcessProvider.Client.Authentication) async throws -> ProviderFixture {
        var configuration = InProcessProvider.Configuration()
        configuration.clients = [
            .confidential(id: "tool", secret: clientSecret, authentication: method, redirectURIs: [redirectURI])
        ]
        let client = OpenIDClient.confidential(
            id: "tool",
            secret: try ClientSecret(clientSecret),
            method: method == .post ? .post : .basic
        )
        return try await ProviderFixture(configuration, client: client)
    }
}
