// SPDX-License-Identifier: Apache-2.0

#if Metrics
import MetricsTestKit
import SecureStore
import Testing

@testable import AuthSession

/// The metrics of each event.
///
/// `SessionObserverTests` has the events of real sessions.
@Suite(.timeLimit(.minutes(1)))
struct SessionMetricsTests {
    /// An event, a timer or counter that it changes with these labels, and the value.
    typealias Row = (event: SessionEvent, name: String, labels: [String: String], value: Int64)

    private let metrics = TestMetrics()

    private static func refresh(
        _ outcome: SessionEvent.Refresh.Outcome,
        _ change: (inout SessionEvent.Refresh) -> Void = { _ in }
    ) -> SessionEvent {
        var refresh = SessionEvent.Refresh(isForOtherAPI: false)
        (refresh.outcome, refresh.duration) = (outcome, .milliseconds(20))
        change(&refresh)
        return .refreshEnded(refresh)
    }

    private static func outcome(_ outcome: String, _ error: String = "none") -> [String: String] {
        ["outcome": outcome, "error.type": error]
    }

    private static let signIns: [Row] = [
        (.signInEnded(.success, after: .milliseconds(20)), "sign_in.duration", outcome("success"), 20_000_000),
        (.signInEnded(.failed("busy"), after: .zero), "sign_in.duration", outcome("failed", "busy"), 0),
        (.signInEnded(.cancelled, after: .zero), "sign_in.duration", outcome("cancelled"), 0),
        (.signInEnded(.abandoned, after: .zero), "sign_in.duration", outcome("abandoned"), 0),
    ]

    private static let refreshes: [Row] = [
        (.refreshBegan, "refresh.begun", [:], 1),
        (refresh(.refreshed), "refresh.duration", outcome("refreshed"), 20_000_000),
        (refresh(.failed) { $0.errorType = "busy" }, "refresh.duration", outcome("failed", "busy"), 20_000_000),
        (
            .refreshEnded(SessionEvent.Refresh(isForOtherAPI: true)), "resource_token.duration", outcome("abandoned"), 0
        ),
        (refresh(.refreshed) { $0.joined = 49 }, "refresh.joined", [:], 49),
        (refresh(.refreshed) { $0.isReplay = true }, "refresh.replayed", [:], 1),
        (refresh(.refreshed, wait(.acquired)), "lock.wait.duration", ["outcome": "acquired"], 30_000_000),
        (refresh(.failed, wait(.busy)), "lock.wait.duration", ["outcome": "busy"], 30_000_000),
        (refresh(.refreshed, wait(.unavailable)), "lock.wait.duration", ["outcome": "unavailable"], 30_000_000),
    ]

    private static func wait(_ lock: SessionEvent.Refresh.Lock) -> (inout SessionEvent.Refresh) -> Void {
        { ($0.lock, $0.lockWait) = (lock, .milliseconds(30)) }
    }

    private static let changes: [Row] = [
        (.adopted, "adopted", [:], 1), (.wentOffline, "offline", [:], 1), (.cameOnline, "online", [:], 1),
        (.tokensUnsaved(.locked), "unsaved", ["error.type": "locked"], 1), (.tokensSaved, "saved", [:], 1),
    ]

    private static let signOuts: [Row] = [
        (.signOutEnded(.revoked, nil, after: .milliseconds(20)), "sign_out.duration", outcome("revoked"), 20_000_000),
        (.signOutEnded(.notApplicable, nil, after: .zero), "sign_out.duration", outcome("notApplicable"), 0),
        (.signOutEnded(.deferred, nil, after: .zero), "sign_out.duration", outcome("deferred"), 0),
        (.signOutEnded(.failed, .locked, after: .zero), "sign_out.duration", outcome("failed", "locked"), 0),
    ]

    private static let ends: [Row] = [
        (.sessionEnded(.userSignedOut), "ended", ["reason": "userSignedOut"], 1),
        (.sessionEnded(.signedOutElsewhere), "ended", ["reason": "signedOutElsewhere"], 1),
        (.sessionEnded(.endedByServer), "ended", ["reason": "endedByServer"], 1),
        (.sessionEnded(.refreshResponseLost), "ended", ["reason": "refreshResponseLost"], 1),
        (.sessionEnded(.expired), "ended", ["reason": "expired"], 1),
        (.sessionEnded(.appleIDRevoked), "ended", ["reason": "appleIDRevoked"], 1),
        (.sessionEnded(.unreadableRecord(.damaged)), "ended", ["reason": "unreadableRecord"], 1),
    ]

    @Test(arguments: signIns + refreshes + changes + signOuts + ends)
    func `an event is recorded once, with its labels and its value`(row: Row) {
        SessionMetrics(factory: metrics).observe(row.event)
        #expect(metrics.values(row.name, row.labels) == [row.value])
        // Of a refresh, the duration is recorded, too.
        let isDetail = ["refresh.joined", "refresh.replayed", "lock.wait.duration"].contains(row.name)
        #expect(metrics.total == (isDetail ? 2 : 1))
    }

    // MARK: Secrets

    @Test func `no label has a value of a user, a token, a server or an error's text`() async throws {
        try await ObservedLife.run(.measured(by: metrics))
        var labels: [(String, String)] = []
        for timer in metrics.timers { labels += [("", timer.label)] + timer.dimensions }
        for counter in metrics.counters { labels += [("", counter.label)] + counter.dimensions }
        #expect(labels.count > 20)
        for (name, value) in labels {
            ObservedLife.expectNoSecret(in: name)
            ObservedLife.expectNoSecret(in: value)
            if !name.isEmpty { #expect(value.allSatisfy { $0.isLetter && $0.isASCII }, "\(name)=\(value)") }
        }
    }
}
#endif
