import Foundation
import TestSupport
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
                var starts: [StartTimes] = []
                for _ in 0..<4 { starts.append(try await stage.startOffline(brand, in: network)) }
                starts.append(
                    try await stage.startOffline(brand, in: network) { try await expectOnline(brand, in: $0, network) }
                )
                // The other starts also show what else the machine does.
                let fastest = try #require(starts.map(\.session).min())
                #expect(fastest <= Self.sessionLimit, "\(starts)")
                #expect(starts.allSatisfy { $0.offline <= .seconds(1) }, "\(starts)")
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
                #expect(start.session <= .seconds(1), "\(start)")
                // The limit for a connection is ten seconds.
                #expect((.seconds(10) ... .seconds(13)).contains(start.offline), "\(start)")
            }
        }
    }
}
