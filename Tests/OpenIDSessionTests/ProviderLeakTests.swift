// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Foundation
import HTTPTypes
import Logging
import OpenIDConnect
import SecureStore
import Synchronization
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

/// All output of a session at a provider, at the most verbose log level, searched for secrets.
@Suite(.timeLimit(.minutes(5)))
struct ProviderLeakTests {
    /// The texts that were logged, printed and dumped.
    private final class Lines: Sendable {
        private let texts = Mutex<[String]>([])

        var all: [String] { texts.withLock { $0 } }

        func add(_ text: String) { texts.withLock { $0.append(text) } }

        /// Adds a value as it is printed, dumped and interpolated.
        func show(_ value: Any) {
            var dumped = ""
            dump(value, to: &dumped)
            for text in [String(describing: value), String(reflecting: value), "\(value)", dumped] { add(text) }
        }
    }

    private struct CollectingHandler: LogHandler {
        let lines: Lines
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.add("\(event.level) \(event.message) \(event.metadata ?? [:])")
        }
    }

    private func fixture(_ lines: Lines) async throws -> ProviderFixture {
        var configuration = InProcessProvider.Configuration()
        configuration.clients = [
            .confidential(
                id: "tool",
                secret: ProviderFixture.clientSecret,
                redirectURIs: [ProviderFixture.redirectURI]
            )
        ]
        configuration.includesClaimsInIDToken = true
        return try await ProviderFixture(
            configuration,
            client: .confidential(id: "tool", secret: try ClientSecret(ProviderFixture.clientSecret)),
            logger: Logger(label: "leaks") { _ in CollectingHandler(lines: lines) }
        )
    }

    /// Returns all secrets: those that the provider issued, and those that the app created.
    private func secrets(_ fixture: ProviderFixture) -> [String] {
        let provider = fixture.provider
        let verifiers = provider.requests(at: .token).compactMap { $0.formValue("code_verifier") }
        let queries = provider.requests(at: .authorization).flatMap { request in
            ["state", "nonce"].compactMap { request.queryValue($0) }
        }
        let proofs = provider.requests.compactMap { $0.fields[.dpop] }
        return provider.issuedSecrets + verifiers + queries + proofs + ["Jane Doe", "jane@example.com"]
    }

    private func expectNothing(
        of secrets: [String],
        in lines: Lines,
        _ location: SourceLocation = #_sourceLocation
    ) {
        for text in lines.all {
            for secret in secrets where text.contains(secret) {
                Issue.record("\(secret.prefix(8)) shows in: \(text.prefix(200))", sourceLocation: location)
            }
        }
    }

    @Test func `the output of a whole session contains no secret`() async throws {
        let lines = Lines()
        let fixture = try await fixture(lines)
        let session = fixture.session
        let url = try await session.beginSignIn(redirectURI: ProviderFixture.redirectURI, .bound)
        let pending = try #require(await fixture.stored(.pendingSignIn))
        lines.show(try #require(PendingAuthorization(pending, of: fixture.openID, at: fixture.clock.date)))
        lines.show(session)
        let callback = try #require(fixture.provider.authorize(url).redirectURL)
        await show(in: lines) { try await session.completeSignIn(redirectedTo: "recipe://callback?code=a&state=b") }
        try await session.completeSignIn(redirectedTo: callback)
        await show(in: lines) { try await session.completeSignIn(redirectedTo: callback) }
        lines.show(session)
        lines.show(try await session.userInfo())
        lines.show(session.state)
        lines.show(session.backend)
        lines.show(try #require(await session.current))
        let record = try await fixture.storedRecord()
        let key = Base64URL.encode(try #require(record.tokens.dpopKeyBytes).unredacted)
        lines.show(record)
        lines.show(StoredTokens(record.tokens))
        lines.show(StoredProvider(fixture.openID))
        try await session.refresh()
        for fault in [
            .error("invalid_client", description: record.tokens.accessToken.unredacted, status: 500, at: .token),
            .claim("sub", .string("somebody-else")), .dropResponse(at: .token), .html(at: .token),
        ] as [InProcessProvider.Fault] {
            fixture.provider.inject(fault)
            await show(in: lines) { try await session.refresh() }
        }
        fixture.provider.inject(.unreachable(at: .revocation))
        lines.show(await session.signOut())
        lines.show(try PendingRevocations(try await fixture.stored(PendingRevocations.key)))
        await fixture.otherProcess().signOut()
        #expect(try await fixture.pendingRevocationCount() == 0)
        #expect(lines.all.contains { $0.contains("POST") })
        let all = secrets(fixture) + [key]
        #expect(all.count > 15)
        expectNothing(of: all, in: lines)
    }

    @Test func `the output of a sign-in on another device contains no secret`() async throws {
        let lines = Lines()
        let fixture = try await fixture(lines)
        let attempt = Task {
            try await fixture.session.signInWithDeviceCode { device in
                lines.show(device)
                fixture.provider.approveDevice(userCode: device.userCode)
            }
        }
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(5))
        _ = try await attempt.value
        lines.show(fixture.session)
        let codes = fixture.provider.requests(at: .token).compactMap { $0.formValue("device_code") }
        #expect(!codes.isEmpty)
        #expect(!lines.all.isEmpty)
        expectNothing(of: secrets(fixture) + codes, in: lines)
    }

    /// Adds the error of a failing call.
    private func show(in lines: Lines, _ body: () async throws -> some Sendable) async {
        do {
            _ = try await body()
            Issue.record("nothing was thrown")
        } catch {
            lines.show(error)
            lines.add(error.localizedDescription)
        }
    }
}
