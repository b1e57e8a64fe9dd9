#if ServiceLifecycle
import AuthSession
import Testing

@testable import SessionService

@Suite struct RetryPauseTests {
    private struct OtherError: Error {}

    private func pauses(_ count: Int, fraction: Double) -> [Duration] {
        var pause = RetryPause()
        return (0..<count).map { _ in
            pause.note(OtherError())
            return pause.next(fraction: fraction)
        }
    }

    @Test func `pauses double up to a minute, and jitter takes at most half`() {
        let full = [1, 2, 4, 8, 16, 32, 60, 60].map { Duration.seconds($0) }
        #expect(pauses(8, fraction: 1) == full)
        #expect(pauses(8, fraction: 0) == full.map { $0 / 2 })
        #expect(pauses(1_000, fraction: 1).last == .seconds(60))
    }

    @Test func `the server's wait is the least pause, up to five minutes`() {
        var pause = RetryPause()
        pause.note(AuthSessionError(.unreachable, retryAfter: .seconds(100)))
        #expect(pause.next(fraction: 0) == .seconds(100))
        #expect(pause.next(fraction: 1) == .seconds(125))
        pause.note(AuthSessionError(.unreachable, retryAfter: .seconds(1 << 40)))
        #expect(pause.next(fraction: 0) == .seconds(300))
        pause.note(AuthSessionError(.unreachable, retryAfter: .seconds(-1 << 40)))
        #expect(pause.next(fraction: 0) == .seconds(2))
    }

    @Test func `a success begins again with short pauses`() {
        var pause = RetryPause()
        for _ in 0..<5 { pause.note(AuthSessionError(.unreachable, retryAfter: .seconds(100))) }
        pause.reset()
        #expect(pause.failures == 0)
        pause.note(nil)
        #expect(pause.next(fraction: 1) == .seconds(1))
    }
}
#endif
