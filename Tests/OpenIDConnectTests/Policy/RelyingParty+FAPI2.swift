// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import Crypto
import Testing

@testable import OpenIDConnect

/// A client under the FAPI 2.0 Security Profile, with ES256.
enum FAPI2Client {
    static let id = "bank app"
    private static let key = P256.Signing.PrivateKey()

    /// The client as its provider knows it.
    static func registration(
        redirectURIs: [String] = InProcessProvider.Client.loopbackRedirectURIs
    ) -> InProcessProvider.Client {
        .confidential(id: id, publicKey: key.publicKey.pemRepresentation, redirectURIs: redirectURIs)
    }

    static func make(audience: ClientAssertionKey.Audience = .issuer) throws -> OpenIDClient {
        var key = try ClientAssertionKey(pem: Self.key.pemRepresentation)
        key.audience = audience
        return .confidential(id: id, key: key)
    }
}

extension RelyingParty {
    /// Creates an app under the policy that is registered at its provider.
    static func fapi2(
        _ client: OpenIDClient? = nil,
        issuer: String = "https://provider.example",
        policy: ClientPolicy = .fapi2,
        certificateBoundTokens: Bool = false,
        configure: (inout InProcessProvider.Configuration) -> Void = { _ in },
        fault: (InProcessProvider) -> Void = { _ in },
        through carry: (InProcessProvider) -> any Transport = { $0 }
    ) async throws -> RelyingParty {
        try await RelyingParty(
            try client ?? FAPI2Client.make(),
            issuer: issuer,
            configure: {
                $0.clients = [FAPI2Client.registration()]
                configure(&$0)
            },
            settings: {
                $0.policy = policy
                $0.certificateBoundTokens = certificateBoundTokens
                if case .tls = client?.authentication { $0.presentsClientCertificate = true }
            },
            fault: fault,
            through: carry
        )
    }

    /// Checks that a call is refused with a code, and that nothing is sent for it.
    func expectRefusal(
        _ code: ClientPolicyError.Code,
        sourceLocation: SourceLocation = #_sourceLocation,
        of call: () async throws -> Void
    ) async {
        let before = server.requests.count
        var refusal: ClientPolicyError?
        do {
            try await call()
        } catch let error as ClientPolicyError {
            refusal = error
        } catch {
            Issue.record(error, sourceLocation: sourceLocation)
        }
        #expect(refusal?.code == code, sourceLocation: sourceLocation)
        #expect(server.requests.count == before, sourceLocation: sourceLocation)
    }
}
