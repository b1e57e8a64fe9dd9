// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthSession
import AuthTesting
import HTTPTypes
import SecureStore
import Synchronization
import Testing

@testable import DesktopShell

/// The jobs of a user, over a session at a backend that a test scripts.
@MainActor
@Suite("The jobs", .timeLimit(.minutes(1)))
struct JobsTests {
    /// A session token that ends in the year 2100.
    private nonisolated static let token = """
        eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiIxIiwiaWF0IjoxMDAwMDAwLCJleHAiOjQxMDI0NDQ4MDB9.c2ln
        """

    /// The backend's user, whether it has jobs for that user, and what happens while they are on their way.
    private final class Backend: Sendable {
        typealias Event = @Sendable () async throws -> Void

        private let content = Mutex((user: "u1", hasJobs: true, event: Event?.none))

        func signInOnly(_ user: String) { content.withLock { $0.user = user } }

        func setJobs(_ hasJobs: Bool) { content.withLock { $0.hasJobs = hasJobs } }

        func whileLoading(_ event: @escaping Event) { content.withLock { $0.event = event } }

        func response(to request: TransportRequest) async throws -> TransportResponse {
            let (user, hasJobs, event) = content.withLock { content in
                defer { if request.head.path == "/api/jobs" { content.event = nil } }
                return content
            }
            switch request.head.path {
            case "/api/auth/apple":
                return .json(#"{"success":true,"token":"\#(JobsTests.token)","user":{"id":"\#(user)"}}"#)
            case "/api/auth/validate": return .json(#"{"success":true,"user":{"id":"\#(user)"}}"#)
            case "/api/jobs":
                try await event?()
                guard hasJobs else { return .json("{}", status: 404) }
                return .json(#"[{"id":"1","title":"Sofa of \#(user)","address":"1 Main St","status":"open"}]"#)
            default: return .json("{}", status: 404)
            }
        }
    }

    private let backend = Backend()
    private let transport: ScriptedTransport
    private let session: AuthSession
    private let jobs: Jobs

    init() throws {
        transport = ScriptedTransport { [backend] in try await backend.response(to: $0) }
        session = AuthSession(
            backend: .firstParty(baseURL: try BaseURL("https://api.example.org"), contract: .sessionToken),
            store: MemoryStore(),
            transport: transport
        )
        jobs = Jobs(of: session, from: APIClient(authenticatedBy: session, transport: transport))
    }

    private static func signIn(to session: AuthSession) async throws {
        let credential = AppleCredential(identityToken: try IDToken("aaa.bbb.ccc"))
        try await session.signIn(with: credential, for: AppleSignInAttempt())
    }

    /// The titles of the jobs that the signed-in user sees; nil if none were loaded.
    private var titles: [String]? {
        guard case .signedIn(let user, _) = session.state else { return nil }
        return jobs.jobs(of: user)?.map(\.title)
    }

    @Test func `the jobs are loaded once at a time`() async throws {
        try await Self.signIn(to: session)
        #expect(titles == nil)
        backend.whileLoading { [jobs] in
            #expect(await jobs.isLoading)
            await jobs.load()
        }
        await jobs.load()
        #expect(!jobs.isLoading)
        #expect(titles == ["Sofa of u1"])
        #expect(transport.count(of: "/api/jobs") == 1)
    }

    @Test func `a failure is known until jobs are loaded, and earlier jobs stay`() async throws {
        try await Self.signIn(to: session)
        await jobs.load()
        backend.setJobs(false)
        await jobs.load()
        #expect(jobs.hasFailed)
        #expect(titles == ["Sofa of u1"])
        backend.setJobs(true)
        await jobs.load()
        #expect(!jobs.hasFailed)
    }

    @Test func `without a session nothing is requested, and nothing has failed`() async {
        await session.restore()
        await jobs.load()
        #expect(!jobs.hasFailed)
        #expect(transport.requests.isEmpty)
    }

    @Test func `jobs of an earlier user are never the next one's`() async throws {
        try await Self.signIn(to: session)
        await jobs.load()
        await session.signOut()
        #expect(titles == nil)
        backend.signInOnly("u2")
        try await Self.signIn(to: session)
        #expect(titles == nil)
        // The request is u2's, and its response comes to u3.
        backend.whileLoading { [backend, session] in
            await session.signOut()
            backend.signInOnly("u3")
            try await Self.signIn(to: session)
        }
        await jobs.load()
        #expect(titles == ["Sofa of u3"])
        #expect(transport.count(of: "/api/jobs") == 3)
    }
}
