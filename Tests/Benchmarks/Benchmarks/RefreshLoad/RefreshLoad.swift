// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation

/// The load on a server by many installs that all got their tokens in the same second.
///
/// Every install is a real session. It requests its token once a second, and so refreshes in the first second in
/// which its token is due. That is the worst case: an app that is used less often spreads its refreshes further.
///
/// The program simulates a hundred thousand installs in about a minute, and scales the figures by ten.
@main
enum RefreshLoad {
    private static let simulated = 100_000
    private static let scale = 1_000_000 / simulated

    static func main() async throws {
        print("A million installs, signed in during the same second; refreshes per second at the server\n")
        print("| tokens live | refresh | jitter | peak | p99 | seconds from first to last |")
        print("| --- | --- | --- | --- | --- | --- |")
        var curves: [(String, LoadCurve)] = []
        for (lifetime, rounds) in [(3_600, 2), (900, 1), (300, 1)] {
            let without = withoutJitter(lifetime)
            row(lifetime, round: 1, "without", without)
            let loads = try await Population(installs: simulated, lifetime: lifetime, rounds: rounds).loads()
            for (index, load) in loads.enumerated() { row(lifetime, round: index + 1, "with", load) }
            if curves.isEmpty { curves = [("without jitter", without)] + loads.map { ("with jitter", $0) } }
        }
        for (name, curve) in curves { print("\nTokens of an hour, \(name):\n\(curve.drawn(step: 5, scale: scale))") }
    }

    /// Returns the load if every install follows the window alone.
    ///
    /// `freshness(at:window:)` is the window without its jitter.
    private static func withoutJitter(_ lifetime: Int) -> LoadCurve {
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let token = TokenLifetime(expiresIn: lifetime, from: start)
        let due = (0...lifetime).first { second in
            token.freshness(at: start.addingTimeInterval(Double(second)), window: .shortLivedToken) != .fresh
        }
        return LoadCurve(refreshes: due.map { [$0: simulated] } ?? [:])
    }

    private static func row(_ lifetime: Int, round: Int, _ jitter: String, _ load: LoadCurve) {
        let figures = [load.peak * scale, load.percentile(0.99) * scale, load.width].map { "\($0)" }
        print("| \(lifetime / 60) min | \(round). | \(jitter) | \(figures.joined(separator: " | ")) |")
    }
}
