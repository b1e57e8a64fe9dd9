// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Crypto
import Synchronization
import Testing

@testable import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A JWT before it is assembled; a test can change every part.
struct ForgedToken {
    var header: [String: JSONValue]
    var claims: [String: JSONValue]
    /// The function that signs header and claims.
    var sign: (String) throws -> [UInt8]
    /// The function that changes the token in its compact form.
    var finish: (String) throws -> String = { $0 }

    func compact() throws -> String {
        let encoder = JSONEncoder()
        let text = Base64URL.encode(try encoder.encode(header)) + "." + Base64URL.encode(try encoder.encode(claims))
        return try finish(text + "." + Base64URL.encode(try sign(text)))
    }
}

/// A forge that signs the provider's ID tokens again, with its own key, which it publishes in place of the provider's.
final class TokenForge: Sendable {
    typealias Change = @Sendable (inout ForgedToken) throws -> Void

    private struct State {
        var published: [[String: JSONValue]]
        var change: Change = { _ in }
    }

    static let keyID = "forge"

    let key: P256.Signing.PrivateKey
    private let state: Mutex<State>

    init() {
        let key = P256.Signing.PrivateKey()
        self.key = key
        state = Mutex(State(published: [Self.jwk(of: key)]))
    }

    /// Returns the transport between app and provider.
    func transport(_ server: InProcessProvider) -> any Transport {
        ChangedTransport(
            base: server,
            changeResponse: { request, answer in try self.forge(&answer, to: request) }
        )
    }

    private func forge(_ answer: inout TransportResponse, to request: TransportRequest) throws {
        switch request.path {
        case InProcessProvider.Endpoint.jwks.path:
            let published = state.withLock { $0.published }
            try answer.changeMembers { $0["keys"] = .array(published.map { .object($0) }) }
        case InProcessProvider.Endpoint.token.path:
            try answer.changeMembers { members in
                guard let token = members["id_token"]?.string else { return }
                members["id_token"] = .string(try forged(token))
            }
        default:
            break
        }
    }

    /// Publishes other keys.
    func publish(_ keys: [[String: JSONValue]]) { state.withLock { $0.published = keys } }

    /// Changes all later tokens.
    func change(_ change: @escaping Change) { state.withLock { $0.change = change } }

    /// Returns a public key in the format of a key set.
    static func jwk(of key: P256.Signing.PrivateKey, id: String = keyID) -> [String: JSONValue] {
        let point = key.publicKey.rawRepresentation
        return [
            "kty": .string("EC"), "crv": .string("P-256"), "kid": .string(id), "use": .string("sig"),
            "alg": .string("ES256"),
            "x": .string(Base64URL.encode(point.prefix(32))), "y": .string(Base64URL.encode(point.suffix(32))),
        ]
    }

    /// Returns a function that signs with ES256, in the format of JWS.
    static func es256(_ key: P256.Signing.PrivateKey) -> (String) throws -> [UInt8] {
        { Array(try key.signature(for: Data($0.utf8)).rawRepresentation) }
    }

    private func forged(_ token: String) throws -> String {
        let original = try UnverifiedJWT(token)
        var forged = ForgedToken(
            header: ["alg": .string("ES256"), "typ": .string("JWT"), "kid": .string(Self.keyID)],
            claims: original.claims.all,
            sign: Self.es256(key)
        )
        let change = state.withLock { $0.change }
        try change(&forged)
        return try forged.compact()
    }
}

extension RelyingParty {
    /// Creates an app whose provider's tokens are all forged.
    init(
        _ forge: TokenForge,
        settings adjust: (inout ProviderSettings) -> Void = { _ in },
        fault: FaultInjection = { _ in }
    ) async throws {
        try await self.init(settings: adjust, fault: fault, through: { forge.transport($0) })
    }

    /// Returns the reason why a forged ID token is refused; a token that is only signed again is accepted.
    func idTokenRefusal(of forge: TokenForge, _ change: @escaping TokenForge.Change) async throws -> IDTokenError {
        _ = try await signIn()
        forge.change(change)
        let error = await #expect(throws: OpenIDError.self) { try await signIn() }
        #expect(error?.operation == .token)
        #expect(server.requests(at: .userInfo).isEmpty)
        #expect(contactedOnlyProvider)
        return try #require(error?.refusedToken)
    }
}
