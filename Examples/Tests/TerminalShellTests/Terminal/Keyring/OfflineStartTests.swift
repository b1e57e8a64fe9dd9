// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing
import UmuveBrands

extension TerminalSuite.Keyring {
    @Suite("Starting without a network", .enabled(if: NetworkNamespace.isAvailable, "needs network namespaces and ip"))
    struct OfflineStartTests {
        #if DEBUG
        /// A build for debugging loads and runs more slowly.
        private static let sessionLimit = Duration.milliseconds(300)
        #else
        private static let sessionLimit = Duration.milliseconds(100)
        #endif

        /// Measures a start that does nothing, which takes about 20 ms unless the machine is busy.
        private static func timeToPrintHelp(_ brand: Brand) async throws -> Duration {
            let start = ContinuousClock.now
            let help = try await Command(Executable.besideTests(brand.executable).path, ["--help"]).run()
            #expect(help.exitCode == 0)
            return start.duration(to: .now)
        }

        /// Makes the network work again, and expects that the app is online without any input.
        private func expectOnline(_ brand: Brand, in terminal: TerminalSession, _ network: NetworkNamespace)
            async throws
        {
            try await network.restore()
            try await terminal.wait(without: "Offline since")
            try await terminal.wait(for: brand.greeting)
            try await terminal.quit()
        }

        @Test(arguments: Brand.all)
        func `without a route, the session shows at once, offline within a second, and is online again by itself`(
            brand: Brand
        ) async throws {
            try await ShellStage.runInNetwork(brand) { stage, network in
                try await network.cut()
                let end = ContinuousClock.now + .seconds(60)
                var starts: [StartTimes] = []
                var isInTime = false
                // A busy machine delays starts, but not each start of a minute.
                repeat {
                    let start = try await stage.startOffline(brand, in: network)
                    let limit = max(Self.sessionLimit, try await Self.timeToPrintHelp(brand) * 3)
                    isInTime = start.session <= limit && start.offline <= .seconds(1)
                    starts.append(start)
                } while !isInTime && ContinuousClock.now < end
                #expect(isInTime, "\(starts)")
                _ = try await stage.startOffline(brand, in: network) { try await expectOnline(brand, in: $0, network) }
            }
        }

        @Test func `if the network swallows packets, the session shows at once, and offline at the time limit`()
            async throws
        {
            let brand = Brand.customer
            try await ShellStage.runInNetwork(brand) { stage, network in
                try await network.swallow()
                let start = try await stage.startOffline(brand, in: network) {
                    try await expectOnline(brand, in: $0, network)
                }
                // The limit for a connection is ten seconds.
                #expect((.seconds(10) ... .seconds(40)).contains(start.offline), "\(start)")
                #expect(start.session <= .seconds(5), "\(start)")
            }
        }
    }
}
