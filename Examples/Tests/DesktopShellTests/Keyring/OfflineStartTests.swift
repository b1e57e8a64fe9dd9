// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing
import UmuveBrands

@testable import DesktopShell

extension DesktopSuite.Keyring {
    @Suite("Starting without a network", .enabled(if: NetworkNamespace.isAvailable, "needs network namespaces and ip"))
    struct OfflineStartTests {
        /// The times between the start of an app's process and what a screen reader reads.
        private struct StartTimes {
            let session: Duration
            let offline: Duration
        }

        /// Starts an app in a network that is away, and waits for the offline banner.
        private func start(
            _ brand: Brand,
            on stage: DesktopStage,
            in network: NetworkNamespace,
            _ test: (DesktopApp) async throws -> Void = { try await $0.quit() }
        ) async throws -> StartTimes {
            var (session, offline) = (Duration.zero, Duration.zero)
            let entrance = network.entrance.split(separator: " ").map { String($0) }
            try await stage.launch(brand, store: .keyring, within: entrance) { app in
                session = try await app.time(until: DesktopStage.userName)
                offline = try await app.time(until: "Offline since")
                try await test(app)
            }
            return StartTimes(session: session, offline: offline)
        }

        /// Measures a start that ends at the sign-in, without a session and without a network.
        private func timeToSignIn(_ brand: Brand, on stage: DesktopStage) async throws -> Duration {
            var time = Duration.zero
            try await stage.launch(brand) { time = try await $0.time(until: DesktopApp.signInButton) }
            return time
        }

        /// Makes the network work again, and expects that the app is online without any input.
        private func expectOnline(_ brand: Brand, in app: DesktopApp, _ network: NetworkNamespace) async throws {
            try await network.restore()
            try await app.wait(without: "Offline since")
            try await app.wait(for: brand.greeting)
            try await app.quit()
        }

        @Test(arguments: Brand.all)
        func `without a route, the session shows at once, offline within a second, and is online again by itself`(
            brand: Brand
        ) async throws {
            try await DesktopStage.runInNetwork(brand) { stage, network in
                try await network.cut()
                let end = ContinuousClock.now + .seconds(60)
                var starts: [StartTimes] = []
                var isInTime = false
                // A busy machine delays starts, but not each start of a minute.
                repeat {
                    let start = try await start(brand, on: stage, in: network)
                    // The window, the keyring's daemon and the screen reader cost what they cost without a session.
                    let limit = try await timeToSignIn(brand, on: stage) + .milliseconds(300)
                    isInTime = start.session <= limit && start.offline <= start.session + .seconds(1)
                    starts.append(start)
                } while !isInTime && ContinuousClock.now < end
                #expect(isInTime, "\(starts)")
                _ = try await start(brand, on: stage, in: network) { try await expectOnline(brand, in: $0, network) }
            }
        }

        @Test func `if the network swallows packets, the session shows at once, and offline at the time limit`()
            async throws
        {
            let brand = Brand.customer
            try await DesktopStage.runInNetwork(brand) { stage, network in
                try await network.swallow()
                let start = try await start(brand, on: stage, in: network) {
                    try await expectOnline(brand, in: $0, network)
                }
                // The limit for a connection is ten seconds.
                #expect((.seconds(10) ... .seconds(40)).contains(start.offline), "\(start)")
                #expect(start.session <= .seconds(5), "\(start)")
            }
        }
    }
}
