// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import OpenIDConnect
import SecureStore
import TestSupport
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The store that keeps a program's tokens, which its processes share.
@Suite(.timeLimit(.minutes(5)))
struct ProgramTokenStoreTests {
    @Test func `a token is kept in memory unless a store is given`() async throws {
        let program = try await Program()
        let credentials = ProgramCredentials(at: program.openID, for: Program.target)
        _ = try await credentials.accessToken()
        #expect(try await program.item == nil)
        _ = try await program.credentials.accessToken()
        #expect(try await program.item != nil)
        #expect(program.requests.count == 2)
    }

    @Test func `two processes share a token, and the next one`() async throws {
        let program = try await Program()
        let first = try await program.credentials.accessToken()
        let other = program.otherProcess()
        #expect(try await other.accessToken() == first)
        #expect(program.requests.count == 1)
        program.clock.advance(by: .seconds(300))
        let second = try await program.credentials.accessToken()
        #expect(try await other.accessToken() == second)
        #expect(program.requests.count == 2)
    }

    @Test func `two processes that found no token share one request if they need one at once`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let lock = SessionLock(for: MemoryStore().scope, in: folder.url.path)
        let program = try await Program(lock: .one(lock))
        let other = program.otherProcess()
        async let first = program.credentials.accessToken()
        async let second = other.accessToken()
        let (own, others) = try await (first, second)
        #expect(own == others)
        #expect(program.requests.count == 1)
    }

    @Test func `a request that fails because another process is busy is not repeated without the lock`() async throws {
        let program = try await Program()
        let names = ProgramTokenStore.Names(.clientCredentials, program.openID, Program.target, usesDPoP: false)
        let logger = program.openID.settings.logger
        let store = ProgramTokenStore(store: program.store, names: names, lock: .none, logger)
        var runs = 0
        await #expect(throws: AuthSessionError(.busy)) {
            try await store.whileLocked {
                runs += 1
                throw AuthSessionError(.busy)
            }
        }
        #expect(runs == 1)
    }

    @Test func `a token of another target is not used, and stays`() async throws {
        let program = try await Program()
        let token = try await program.credentials.accessToken()
        #expect(try await program.otherProcess(TokenTarget(scope: "profile")).tokens().scope == "profile")
        #expect(program.requests.count == 2)
        #expect(try await program.otherProcess().accessToken() == token)
        #expect(program.requests.count == 2)
    }

    private static let targets = [
        TokenTarget(), TokenTarget(audiences: ["a"]), TokenTarget(audiences: ["a", "b"], scope: "email"),
        TokenTarget(resources: ["https://api.example/a", "https://api.example/b"]),
        // One character, two names.
        TokenTarget(audiences: ["\u{E9}"]), TokenTarget(audiences: ["e\u{301}"]),
    ]

    @Test func `each target, grant and client has a digest of its own`() async throws {
        let program = try await Program()
        let source = IdentityTokenSource.provided(named: "a") { "" }
        let grants: [ProgramGrant] = [
            .clientCredentials,
            .tokenExchange(source), .tokenExchange(.provided(named: "b") { "" }),
            .jwtBearer(source), .jwtBearer(.provided(named: "b") { "" }),
            // One character, two names.
            .tokenExchange(.provided(named: "\u{E9}") { "" }), .tokenExchange(.provided(named: "e\u{301}") { "" }),
            .tokenExchange(.file(path: "a")),
        ]
        let clients: [OpenIDClient] = [.anonymous, .public(id: "app"), .public(id: "other")]
        var names: Set<String> = []
        for client in clients {
            for grant in grants {
                for target in Self.targets {
                    for usesDPoP in [false, true] {
                        let provider = program.openID.with(client)
                        let name = ProgramTokenStore.Names(grant, provider, target, usesDPoP: usesDPoP).token
                        names.insert(name)
                        #expect(ProgramTokenStore.Names(grant, provider, target, usesDPoP: usesDPoP).token == name)
                    }
                }
            }
        }
        #expect(names.count == clients.count * grants.count * Self.targets.count * 2)
        let ordered = TokenTarget(scope: "a b")
        let names1 = ProgramTokenStore.Names(.clientCredentials, program.openID, ordered, usesDPoP: false)
        let reversed = TokenTarget(scope: "b a")
        let names2 = ProgramTokenStore.Names(.clientCredentials, program.openID, reversed, usesDPoP: false)
        #expect(names1.token == names2.token)
    }

    @Test func `the number of stored tokens is limited, and those that have ended are removed`() async throws {
        let program = try await Program()
        let first = try await program.credentials.accessToken()
        for index in 0..<20 {
            program.clock.advance(by: .seconds(1))
            _ = try await program.otherProcess(TokenTarget(audiences: ["\(index)"])).accessToken()
        }
        let known = try JSONDecoder().decode(Stored.self, from: Data(try #require(try await program.item).unredacted))
        #expect(known.tokens.count == 16)
        #expect(try await program.otherProcess().accessToken() != first)
        program.clock.advance(by: .seconds(300))
        _ = try await program.otherProcess().accessToken()
        let left = try JSONDecoder().decode(Stored.self, from: Data(try #require(try await program.item).unredacted))
        #expect(left.tokens.count == 1)
    }

    private struct Stored: Decodable {
        let tokens: [String: StoredTokens]
    }

    @Test(arguments: ["", "{}", "null", #"{"version":2,"tokens":{}}"#, #"{"version":1,"tokens":{"a":{}}}"#])
    func `a damaged item is replaced`(text: String) async throws {
        let program = try await Program()
        try await program.store.setItem(SecretBytes(text.utf8), forKey: ProgramTokenStore.key)
        let token = try await program.credentials.accessToken()
        #expect(try await program.otherProcess().accessToken() == token)
        #expect(program.requests.count == 1)
    }

    @Test(arguments: [1e300, -1e300])
    func `a stored token with an absurd expiry does no harm`(expiry: Double) async throws {
        let program = try await Program()
        _ = try await program.credentials.accessToken()
        let item = try #require(try await program.store.item(forKey: ProgramTokenStore.key))
        var form = try JSONDecoder.ofStoredForms.decode(ProgramTokenStore.Form.self, from: Data(item.unredacted))
        for name in form.tokens.keys {
            let absurd = TokenLifetime(issuedAt: nil, expiresAt: Date(timeIntervalSince1970: expiry))
            form.tokens[name]?.tokens.lifetime = absurd
        }
        try await program.store.setItem(try form.encoded(), forKey: ProgramTokenStore.key)
        _ = try await program.otherProcess().accessToken()
    }

    @Test func `a store that can't be used costs a request, and no token`() async throws {
        let program = try await Program()
        program.store.faults.failAll(with: SecureStoreError(.locked))
        let token = try await program.credentials.accessToken()
        #expect(try await program.credentials.accessToken() == token)
        _ = try await program.otherProcess().accessToken()
        #expect(program.requests.count == 2)
    }

    @Test func `a stored token has no more left than its lifetime after the wall clock was set back`() async throws {
        let program = try await Program()
        let first = try await program.credentials.accessToken()
        program.clock.stepDate(by: .seconds(-86_400))
        let other = program.otherProcess()
        #expect(try await other.accessToken() == first)
        program.clock.advance(by: .seconds(300))
        #expect(try await other.accessToken() != first)
    }
}
