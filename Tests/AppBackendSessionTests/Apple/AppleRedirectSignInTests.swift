// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import SecureStore
import Testing

@testable import AppBackendSession
@testable import AuthSession
@testable import AuthSessionTests

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A sign-in with Apple that the app's own backend carries out in a browser.
@Suite struct AppleRedirectSignInTests {
    private static let app = "com.example.app"
    private static let redirectURI = "com.example.app:/callback"
    private static let redeem = "/api/auth/apple/redeem"

    private let fixture: Fixture

    init() throws {
        fixture = try Fixture(.sessionToken)
        fixture.backend.on(Self.redeem) { _ in Backend.sessionToken(1, user: true) }
    }

    private func begin(_ session: AuthSession? = nil) async throws -> [String: String] {
        let url = try await (session ?? fixture.session)
            .beginAppleSignIn(clientID: Self.app, redirectURI: Self.redirectURI)
        let parts = url.split(separator: "?", maxSplits: 1)
        #expect(parts[0] == "https://api.example.org/api/auth/apple/start")
        let items = try #require(FormEncoding.decode(String(parts[1])))
        return Dictionary(uniqueKeysWithValues: items)
    }

    private func callback(
        _ query: [String: String],
        _ parameters: [(String, String)] = [("code", "one-time")]
    ) -> String {
        Self.redirectURI + "?" + FormEncoding.encode(parameters + [("state", query["state"] ?? "")])
    }

    @Test func `the address has hashes alone, and the redemption has their preimages`() async throws {
        let query = try await begin()
        #expect(query["client_id"] == Self.app)
        #expect(query["redirect_uri"] == Self.redirectURI)
        #expect(query["code_challenge_method"] == "S256")
        #expect(try await fixture.session.completeSignIn(redirectedTo: callback(query)) == fixture.user)
        let members = try #require(try fixture.transport.requests.last?.members)
        guard case .string(let nonce) = members["nonce"], case .string(let verifier) = members["code_verifier"] else {
            Issue.record("a member is missing")
            return
        }
        #expect(members["code"] == .string("one-time"))
        #expect(try Nonce(nonce).sha256 == query["nonce"])
        #expect(try CodeVerifier(verifier).codeChallenge == query["code_challenge"])
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.stored(.pendingSignIn) == nil)
    }

    @Test func `one call signs in with a browser that returns to this process`() async throws {
        let user = try await fixture.session.signInWithApple(clientID: Self.app) { page, code in
            let query = page("http://127.0.0.1:1/callback").split(separator: "?")[1]
            let items = Dictionary(uniqueKeysWithValues: try #require(FormEncoding.decode(String(query))))
            #expect(items["redirect_uri"] == "http://127.0.0.1:1/callback")
            #expect(try code("code=one-time&state=another") == nil)
            let state = items["state"] ?? ""
            #expect(throws: AuthSessionError(.signInCancelled)) { try code("error=access_denied&state=\(state)") }
            return try #require(try code("code=one-time&state=\(state)"))
        }
        #expect(user == fixture.user)
        #expect(try fixture.transport.requests.last?.members["code"] == .string("one-time"))
        #expect(try await fixture.stored(.pendingSignIn) == nil)
    }

    @Test func `another process can complete the sign-in after the app was restarted`() async throws {
        let url = callback(try await begin())
        let relaunched = try fixture.otherProcess()
        #expect(try await relaunched.isSignInResponse(url))
        #expect(try await relaunched.completeSignIn(redirectedTo: url) == fixture.user)
        #expect(try await fixture.storedRecord().user == fixture.user)
    }

    @Test func `another address, another state and a second delivery change nothing`() async throws {
        let query = try await begin()
        let url = callback(query)
        let session = fixture.session
        for other in ["com.example.other:/callback?code=c&state=\(query["state"] ?? "")", "https://example.com/"] {
            #expect(try await !session.isSignInResponse(other))
            #expect(await code { try await session.completeSignIn(redirectedTo: other) } == .redirectMismatch)
        }
        for forged in ["?code=c&state=forged", "?code=c", "?error=access_denied"] {
            let forged = Self.redirectURI + forged
            #expect(try await !session.isSignInResponse(forged))
            #expect(await code { try await session.completeSignIn(redirectedTo: forged) } == .stateMismatch)
        }
        #expect(fixture.transport.count(of: Self.redeem) == 0)
        #expect(try await session.completeSignIn(redirectedTo: url) == fixture.user)
        #expect(try await !session.isSignInResponse(url))
        #expect(await code { try await session.completeSignIn(redirectedTo: url) } == .noPendingSignIn)
        #expect(fixture.transport.count(of: Self.redeem) == 1)
    }

    @Test func `two processes with the same redirect redeem its code once`() async throws {
        let url = callback(try await begin())
        let (one, other) = (fixture.session, try fixture.otherProcess())
        async let first = code { try await one.completeSignIn(redirectedTo: url) }
        async let second = code { try await other.completeSignIn(redirectedTo: url) }
        let codes = await [first, second]
        #expect(codes.count { $0 == nil } == 1)
        #expect(fixture.transport.count(of: Self.redeem) == 1)
    }

    @Test(arguments: [
        ("access_denied", AuthSessionError.Code.signInCancelled), ("temporarily_unavailable", .unreachable),
        ("server_error", .signInRefused), ("invalid_grant", .signInRefused),
    ])
    func `an error of the backend ends the sign-in`(error: String, expected: AuthSessionError.Code) async throws {
        let url = callback(try await begin(), [("error", error)])
        let thrown = try await sessionError { try await fixture.session.completeSignIn(redirectedTo: url) }
        #expect(thrown.code == expected)
        #expect(thrown.serverCode?.rawValue == error)
        #expect(try await fixture.stored(.pendingSignIn) == nil)
    }

    @Test(arguments: ["code=a&code=b", "code=", "error=a&error=b", "code=%FF", "unrelated=1"])
    func `a malformed response is refused`(query: String) async throws {
        let state = try await begin()["state"] ?? ""
        let url = Self.redirectURI + "?state=\(state)&" + query
        #expect(
            await [.invalidResponse, .stateMismatch].contains(
                code { try await fixture.session.completeSignIn(redirectedTo: url) }
            )
        )
        #expect(fixture.transport.count(of: Self.redeem) == 0)
    }

    @Test func `a sign-in is pending for half an hour, and a restore removes an expired one`() async throws {
        let url = callback(try await begin())
        fixture.clock.advance(by: .seconds(1_801))
        #expect(try await !fixture.session.isSignInResponse(url))
        #expect(await code { try await fixture.session.completeSignIn(redirectedTo: url) } == .noPendingSignIn)
        #expect(try await fixture.stored(.pendingSignIn) == nil)
    }

    @Test func `the sign-in of another kind of backend is removed only once it has expired`() async throws {
        let beganAt = fixture.clock.date.timeIntervalSince1970
        let other = SecretBytes(#"{"version":1,"provider":{},"beganAt":\#(beganAt)}"#.utf8)
        try await fixture.store.setItem(other, forKey: .pendingSignIn)
        await fixture.session.removeOverdueSignIns()
        #expect(try await fixture.stored(.pendingSignIn) == other)
        fixture.clock.advance(by: .seconds(1_801))
        await fixture.session.removeOverdueSignIns()
        #expect(try await fixture.stored(.pendingSignIn) == nil)
    }

    @Test func `a role conflict shows the server's message`() async throws {
        let sentence = "This account is registered as a customer. Contact support to become a driver."
        fixture.backend.on(Self.redeem) { _ in Backend.failure(409, code: "role_conflict", message: sentence) }
        let url = callback(try await begin())
        let error = try await sessionError { try await fixture.session.completeSignIn(redirectedTo: url) }
        #expect(error.code == .signInRefused)
        #expect(RefusalSentence.text(for: error) == sentence)
    }

    @Test func `no sign-in begins if the backend does not respond`() async throws {
        fixture.backend.on("/", Backend.unreachable)
        #expect(await code { try await begin() } == .unreachable)
        #expect(try await fixture.stored(.pendingSignIn) == nil)
        fixture.backend.on("/") { _ in .json("{}", status: 503) }
        #expect(await code { try await begin() } == .unreachable)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [true, false])
    func `a code is sent again only if the backend has not received it`(isReceived: Bool) async throws {
        var options = SessionOptions.still
        options.signInAttempts = 3
        let fixture = try Fixture(.sessionToken, options: options)
        fixture.backend.on(Self.redeem) { _ in
            guard fixture.transport.count(of: Self.redeem) == 1 else { return Backend.sessionToken(1, user: true) }
            if isReceived { return .json("{}", status: 503) }
            throw TransportError(.connectionRefused, mayHaveReachedServer: false)
        }
        let url = callback(try await begin(fixture.session))
        let signIn = Task { try await fixture.session.completeSignIn(redirectedTo: url) }
        if isReceived {
            #expect(await code { try await signIn.value } == .unreachable)
            #expect(fixture.transport.count(of: Self.redeem) == 1)
        } else {
            await fixture.clock.sleepers()
            fixture.clock.advance(by: .seconds(1))
            #expect(try await signIn.value == fixture.user)
        }
    }

    @Test func `the token-pair contract has no such sign-in`() async throws {
        let session = try Fixture(.tokenPair).session
        #expect(
            await code { try await session.beginAppleSignIn(clientID: Self.app, redirectURI: Self.redirectURI) }
                == .contractMismatch
        )
        #expect(try await !session.isSignInResponse(Self.redirectURI))
    }

    @Test func `neither an error nor a description shows a secret`() async throws {
        let query = try await begin()
        let item = try #require(try await fixture.stored(.pendingSignIn))
        let pending = try #require(PendingAppleSignIn(item))
        let secrets = [pending.nonce, pending.state, pending.codeVerifier]
        var text = "\(pending)"
        dump(pending, to: &text)
        fixture.backend.on(Self.redeem) { _ in
            Backend.failure(400, code: "x", message: "The code one-time-secret and \(pending.codeVerifier) are wrong.")
        }
        let url = callback(query, [("code", "one-time-secret")])
        let error = try await sessionError { try await fixture.session.completeSignIn(redirectedTo: url) }
        dump(error, to: &text)
        text += error.description
        for secret in secrets + ["one-time-secret"] { #expect(!text.contains(secret)) }
    }
}
