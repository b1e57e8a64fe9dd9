// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
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

/// The credentials of a program, with its store, clock and provider.
struct Program {
    static let target = TokenTarget(audiences: ["https://api.example"], scope: "email")

    let clock = TestClock(Date(timeIntervalSince1970: 1_800_000_000))
    let store = GatedStore()
    let provider: InProcessProvider
    let openID: OpenIDProvider
    let credentials: ProgramCredentials
    private let lock: LockPolicy

    init(
        without member: String? = nil,
        as client: OpenIDClient? = nil,
        by grant: ProgramGrant = .clientCredentials,
        usesDPoP: Bool = false,
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
        credentials = ProgramCredentials(
            grant,
            at: openID,
            for: Self.target,
            usesDPoP: usesDPoP,
            keptIn: store,
            lock: lock
        )
    }

    /// Returns the credentials of another process, which shares the store.
    func otherProcess(
        _ target: TokenTarget = Program.target,
        by grant: ProgramGrant = .clientCredentials,
        at other: OpenIDProvider? = nil,
        usesDPoP: Bool = false
    ) -> ProgramCredentials {
        ProgramCredentials(grant, at: other ?? openID, for: target, usesDPoP: usesDPoP, keptIn: store, lock: lock)
    }

    var requests: [InProcessProvider.Request] { provider.requests(at: .token) }

    /// The item of the store.
    var item: SecretBytes? { get async throws { try await store.item(forKey: ProgramTokenStore.key) } }
}
