// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Synchronization
import Testing

@testable import ResourceServer

@Suite("Key sets")
struct RemoteJWKSetTests {
    /// An endpoint of a key set that a test changes, and that counts its requests.
    private final class Endpoint: Sendable {
        struct Unreachable: Error {}

        private let state = Mutex<(set: Data?, requests: Int)>((nil, 0))

        var requests: Int { state.withLock { $0.requests } }

        func serve(_ set: Data?) { state.withLock { $0.set = set } }

        func response() throws -> Data {
            let set = state.withLock { state in
                state.requests += 1
                return state.set
            }
            guard let set else { throw Unreachable() }
            return set
        }
    }

    private let clock = TestClock()
    private let endpoint = Endpoint()

    private func keys() -> RemoteJWKSet {
        RemoteJWKSet(now: { [clock] in clock.now }, fetch: { [endpoint] in try endpoint.response() })
    }

    @Test func `many requests with a new key cause one fetch`() async throws {
        let (old, new) = (TestIssuer(clock: clock), TestIssuer(clock: clock, kid: "two"))
        endpoint.serve(try TestIssuer.set([old.jwk]))
        let verifier = old.verifier(keys: keys())
        _ = try await verifier.verify(old.token())
        clock.advance(by: 60)
        endpoint.serve(try TestIssuer.set([old.jwk, new.jwk]))
        let token = try new.token()
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await verifier.verify(token).subject } }
            for try await subject in group { #expect(subject == "ada") }
        }
        #expect(endpoint.requests == 2)
        #expect(try await verifier.verify(old.token()).subject == "ada")
    }

    @Test func `an unknown kid fetches the keys again, at most once a minute`() async throws {
        endpoint.serve(try TestIssuer.set([TestIssuer(clock: clock).jwk]))
        let keys = keys()
        for (pause, expected) in [(0.0, 1), (0, 1), (59, 1), (1, 2), (0, 2), (60, 3)] {
            clock.advance(by: pause)
            #expect(try await keys.key(id: "unknown") == nil)
            #expect(endpoint.requests == expected)
        }
    }

    @Test func `the cached keys are used until their lifetime ends if the issuer can't be reached`() async throws {
        endpoint.serve(try TestIssuer.set([TestIssuer(clock: clock).jwk]))
        let keys = keys()
        #expect(try await keys.key(id: "one") != nil)
        endpoint.serve(nil)
        clock.advance(by: 3_599)
        #expect(try await keys.key(id: "unknown") == nil)
        #expect(try await keys.key(id: "one") != nil)
        clock.advance(by: 60)
        await #expect(throws: AccessTokenError(.keysUnavailable)) { try await keys.key(id: "one") }
    }

    @Test func `a key that the issuer withdraws is no longer accepted after the next fetch`() async throws {
        endpoint.serve(try TestIssuer.set([TestIssuer(clock: clock).jwk]))
        let keys = keys()
        #expect(try await keys.key(id: "one") != nil)
        endpoint.serve(try TestIssuer.set([]))
        clock.advance(by: 3_600)
        #expect(try await keys.key(id: "one") == nil)
    }

    @Test func `an issuer that can't be reached is asked at most every five seconds`() async throws {
        let keys = keys()
        for (pause, expected) in [(0.0, 1), (0, 1), (4, 1), (1, 2)] {
            clock.advance(by: pause)
            await #expect(throws: AccessTokenError(.keysUnavailable)) { try await keys.key(id: "one") }
            #expect(endpoint.requests == expected)
        }
    }

    @Test func `keys for other uses and algorithms are skipped`() throws {
        let jwk = TestIssuer(clock: clock).jwk
        func changed(_ kid: String, _ changes: [String: Any]) -> [String: Any] {
            jwk.merging(["kid": kid]) { $1 }.merging(changes) { $1 }
        }
        let set = try TestIssuer.set([
            changed("a", ["use": "enc"]), changed("b", ["alg": "ES384"]), changed("c", ["crv": "P-384"]),
            changed("d", ["kty": "oct"]), changed("e", ["x": "AA"]), changed("f", ["kid": 5]),
            ["kty": "RSA", "kid": "g", "n": "AQAB", "e": "AQAB"], changed("h", ["alg": "ES256"]),
        ])
        #expect(try Set(JWKSet.signatureKeys(in: set).keys) == ["h"])
    }

    /// Marks that `String` sorts before it compares: more than ten seconds for this text.
    @Test func `a set with long runs of combining marks is refused at once`() async throws {
        let marks = "a" + String(repeating: "\u{301}\u{316}", count: 64_000)
        endpoint.serve(Data(#"{"keys":[{"kty":"\#(marks)","kid":"\#(marks)"}]}"#.utf8))
        let time = await fastest {
            await #expect(throws: AccessTokenError(.keysUnavailable)) { try await keys().key(id: "one") }
        }
        #expect(time < .seconds(5))
    }
}
