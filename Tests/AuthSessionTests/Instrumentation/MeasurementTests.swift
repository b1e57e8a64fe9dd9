// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import SecureStore
import Synchronization
import Testing

@testable import AuthSession

@Suite struct MeasurementTests {
    /// A meter and a tracer that keep what they are given.
    private final class Recorder: SessionMeter, SessionTracer, SessionSpan {
        private let metrics = Mutex<[SessionMetric]>([])
        private let results = Mutex<[MeasuredResult]>([])

        var recorded: [SessionMetric] { metrics.withLock { $0 } }
        var spans: [MeasuredResult] { results.withLock { $0 } }

        func record(_ duration: Duration, of metric: SessionMetric) { metrics.withLock { $0.append(metric) } }
        func count(_ metric: SessionMetric) { metrics.withLock { $0.append(metric) } }
        func begin(_ name: String) -> any SessionSpan { self }
        func end(_ result: MeasuredResult) { results.withLock { $0.append(result) } }

        func run<Value: Sendable>(_ request: @Sendable () async throws -> Value) async rethrows -> Value {
            try await request()
        }
    }

    /// An error of another module that says that the user cancelled.
    private struct ClosedPage: PresentableError {
        var presentation: ErrorPresentation { .hidden }
    }

    private func instruments(with recorder: Recorder?) -> SessionInstruments {
        var options = SessionOptions.still
        options.meter = recorder
        options.tracer = recorder
        let clock = TestClock()
        return SessionInstruments(options.meter, options.tracer, SessionClock(date: { clock.date }, monotonic: clock))
    }

    @Test func `nothing is measured by default`() {
        let none = instruments(with: nil)
        #expect(none.begin(.signIn) == nil)
        #expect(none.beginRefresh(isForResource: false) == nil)
        #expect(!(none.metered(MemoryStore()) is MeteredStore))
    }

    @Test func `only the first end of an operation counts`() {
        let recorder = Recorder()
        let measurement = instruments(with: recorder).begin(.signIn)
        measurement?.fail(AuthSessionError(.signInRefused))
        measurement?.end(MeasuredResult(outcome: .success))
        #expect(recorder.recorded.map(\.labels.count) == [2])
        #expect(recorder.spans.map(\.outcome) == [.failed])
    }

    @Test func `an operation that nobody ends is abandoned`() {
        let recorder = Recorder()
        _ = instruments(with: recorder).begin(.signIn)
        #expect(recorder.recorded == [.operation(.signIn, .abandoned, error: .noError)])
        #expect(recorder.spans.map(\.outcome) == [.abandoned])
    }

    @Test(arguments: [CancellationError(), AuthSessionError(.signInCancelled), ClosedPage()] as [any Error])
    func `a cancelled operation is not recorded as an error`(error: any Error) {
        let recorder = Recorder()
        instruments(with: recorder).begin(.signIn)?.fail(error)
        #expect(recorder.recorded == [.operation(.signIn, .cancelled, error: .noError)])
        #expect(recorder.spans.map(\.error) == [nil])
    }

    @Test func `a refresh has the outcome of its request, and the callers' error`() throws {
        let recorder = Recorder()
        let refresh = try #require(instruments(with: recorder).beginRefresh(isForResource: false))
        let error = AuthSessionError(.sessionEnded)
        refresh.join()
        refresh.note(.refused(error), isReplayed: true)
        refresh.end(Result<Int, any Error>.failure(error))
        #expect(
            recorder.recorded == [
                .refreshJoined, .refreshReplayed,
                .operation(.refresh, MeasuredOutcome(RefreshOutcome.refused(error)), error: .init(error)),
            ]
        )
        let span = try #require(recorder.spans.first)
        #expect(span.outcome.name == "refused")
        #expect(span.error?.name == "sessionEnded")
        #expect(span.joined == 1 && span.isReplayed == true)
    }

    @Test func `a refresh without a request has adopted other tokens or failed`() {
        let recorder = Recorder()
        let both = instruments(with: recorder)
        both.beginRefresh(isForResource: false)?.end(Result<Int, any Error>.success(1))
        both.beginRefresh(isForResource: true)?.end(Result<Int, any Error>.failure(AuthSessionError(.busy)))
        #expect(
            recorder.recorded == [
                .operation(.refresh, .adopted, error: .noError), .operation(.resourceToken, .failed, error: .busy),
            ]
        )
    }

    @Test func `a wait for the lock is recorded once`() throws {
        let recorder = Recorder()
        let refresh = try #require(instruments(with: recorder).beginRefresh(isForResource: false))
        refresh.endWait(.acquired)
        #expect(recorder.recorded.isEmpty)
        refresh.beginWait()
        refresh.endWait(.busy)
        refresh.endWait(.acquired)
        #expect(recorder.recorded == [.lockWait(.busy)])
    }

    @Test func `the kind of an error is a code or a known type, never its text`() {
        struct AuthorizationError: Error, CustomStringConvertible {
            let description = "for ada@example.org"
        }
        struct Ada: Error {}
        #expect(MeasuredOutcome(SecureStoreError(.timedOut, detail: "ada")).name == "timedOut")
        #expect(
            MeasuredOutcome(AuthSessionError(.busy, serverCode: ServerErrorCode(rawValue: "ada"), serverMessage: "ada"))
                .name == "busy"
        )
        #expect(MeasuredOutcome(AuthorizationError()).name == "AuthorizationError")
        #expect(MeasuredOutcome(Ada()).name == "other")
    }
}
