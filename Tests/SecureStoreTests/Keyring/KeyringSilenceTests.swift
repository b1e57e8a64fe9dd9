// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import Testing

@testable import SecureStore

@Suite struct KeyringSilenceTests {
    private let deadline = Duration.seconds(10)
    private let start = SuspendingClock().now

    private func at(_ seconds: Int) -> SuspendingClock.Instant { start.advanced(by: .seconds(seconds)) }

    @Test func `after a call times out, each call has a second until a reply`() {
        var silence = KeyringSilence()
        #expect(silence.timeout(upTo: deadline, at: start) == deadline)
        silence.begin(at: start, deadline)
        #expect(silence.timeout(upTo: deadline, at: at(10)) == .seconds(1))
        #expect(silence.timeout(upTo: .milliseconds(300), at: at(1)) == .milliseconds(300))
        silence.end()
        #expect(silence.timeout(upTo: deadline, at: at(11)) == deadline)
    }

    @Test func `a slow keyring gets its whole deadline again after six deadlines, also if every call timed out`() {
        var silence = KeyringSilence()
        for second in stride(from: 0, to: 60, by: 5) { silence.begin(at: at(second), deadline) }
        #expect(silence.timeout(upTo: deadline, at: at(59)) == .seconds(1))
        #expect(silence.timeout(upTo: deadline, at: at(60)) == deadline)
        // The next silence starts with the next call.
        silence.begin(at: at(60), deadline)
        #expect(silence.timeout(upTo: deadline, at: at(70)) == .seconds(1))
    }
}
#endif
