// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import Testing

@testable import SecureStore

@Suite struct KeyringBackoffTests {
    private let deadline = Duration.seconds(10)
    private let start = SuspendingClock().now

    private func at(_ seconds: Int) -> SuspendingClock.Instant { start.advanced(by: .seconds(seconds)) }

    @Test func `after a call times out, the following calls share two fifths of its deadline`() {
        let backoff = KeyringBackoff()
        #expect(backoff.timeout(for: "bus", upTo: deadline, at: start) == deadline)
        backoff.noteTimeout(of: "bus", deadline, since: start)
        #expect(backoff.timeout(for: "bus", upTo: deadline, at: at(10)) == .seconds(4))
        backoff.noteTimeout(of: "bus", deadline, since: at(10))
        #expect(backoff.timeout(for: "bus", upTo: deadline, at: at(13)) == .seconds(1))
        // The deadline is used up. A call then gets only the time that a working keyring needs.
        #expect(backoff.timeout(for: "bus", upTo: deadline, at: at(14)) == .milliseconds(200))
        #expect(backoff.timeout(for: "bus", upTo: .seconds(1), at: at(2)) == .milliseconds(100))
    }

    @Test func `the backoff ends after a response or after one minute`() {
        let backoff = KeyringBackoff()
        backoff.noteTimeout(of: "bus", deadline, since: start)
        #expect(backoff.timeout(for: "bus", upTo: deadline, at: at(59)) < deadline)
        #expect(backoff.timeout(for: "bus", upTo: deadline, at: at(60)) == deadline)
        // The next backoff starts with the next call.
        backoff.noteTimeout(of: "bus", deadline, since: at(60))
        #expect(backoff.timeout(for: "bus", upTo: deadline, at: at(70)) == .seconds(4))
        backoff.noteResponse(of: "bus")
        #expect(backoff.timeout(for: "bus", upTo: deadline, at: at(70)) == deadline)
    }

    @Test func `a bus that does not respond does not shorten the timeout of another bus`() {
        let backoff = KeyringBackoff()
        backoff.noteTimeout(of: "bus", deadline, since: start)
        #expect(backoff.timeout(for: "other", upTo: deadline, at: at(10)) == deadline)
    }

    @Test func `simultaneous timeouts count as one`() {
        let backoff = KeyringBackoff()
        for _ in 0..<100 { backoff.noteTimeout(of: "bus", deadline, since: start) }
        #expect(backoff.timeout(for: "bus", upTo: deadline, at: at(10)) == .seconds(4))
    }
}
#endif
