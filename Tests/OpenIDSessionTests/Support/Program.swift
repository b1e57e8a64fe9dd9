// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Logging
import OpenIDConnect
import SecureStore

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A session of a program, with its store, clock and provider.
struct Program {
    static let target = TokenTarget(audiences: ["https://api.example"], scope: "email")

    let clock = TestClock(Date(timeIntervalSince1970: 1_800_000_000))
    let store = GatedStore()
    let provider: InProcessProvider
    let openID: OpenIDProvider
    let session: AuthSession
    private let lock: LockPolicy

    init(
        without member: String? = nil,
        as client: OpenIDClient? = nil,
        by grant: ProgramGrant = .clientCredentials,
        lock: LockPolicy = .none,
        configure: (inout InProcessProvider.Configuration) -> Void = { _ in }
    ) async throws {
        var configuration = InProcessProvider.Configuration()
        configuration.clients = [.confidential(id: "program", secret: "s-1"), .public(id: "native")]
        configure(&configuration)
        let clock = self.clock
        provider = InProcessProvider(configuration: configuration, now: { clock.date })
        if let member { provider.inject(.responseMember(member, nil, at: .discovery), times: 2) }
        var settings = ProviderSettings()
        settings.transport = provider
        settings.now = { clock.date }
        settings.clock = clock
        openID = try await .discover(
            issuer: Issuer(provider.issuer),
            client: client ?? .confidential(id: "program", secret: ClientSecret("s-1")),
            settings: settings
        )
        self.lock = lock
        session = Self.session(Self.backend(openID, Self.target, grant), store, clock, lock)
    }

    private static func backend(
        _ openID: OpenIDProvider,
        _ target: TokenTarget,
        _ grant: ProgramGrant
    ) -> SessionBackend {
        switch grant {
        case .clientCredentials: .clientCredentials(openID, target)
        case .jwtBearer(let assertion): .jwtBearer(openID, assertion, target)
        case .tokenExchange(let source): .workloadIdentity(openID, source, target)
        }
    }

    private static func session(
        _ backend: SessionBackend,
        _ store: any SecureStore,
        _ clock: TestClock,
        _ lock: LockPolicy
    ) -> AuthSession {
        AuthSession(
            backend: backend,
            store: store,
            transport: backend.program?.provider.settings.transport,
            timeout: .seconds(30),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            clock: SessionClock(date: { clock.date }, monotonic: clock),
            lock: lock,
            randomFraction: { 0 }
        )
    }

    /// Returns a session of another process of the same program.
    func otherProcess(
        _ target: TokenTarget = Program.target,
        by grant: ProgramGrant = .clientCredentials
    ) -> AuthSession {
        Self.session(Self.backend(openID, target, grant), store, clock, lock)
    }

    var requests: [InProcessProvider.Request] { provider.requests(at: .token) }
}
