#if Keyring && canImport(Glibc)
import Testing

@testable import SecureStore

@Suite struct KeyringSilenceTests {
    private let deadline = Duration.seconds(10)
    private let start = SuspendingClock().now

    private func at(_ seconds: Int) -> SuspendingClock.Instant { start.advanced(by: .seconds(seconds)) }

    @Test func `after a call without an answer those that follow share two fifths of its deadline`() {
        let silence = KeyringBackoff()
        #expect(silence.timeout(for: "bus", upTo: deadline, at: start) == deadline)
        silence.noteTimeout(of: "bus", deadline, since: start)
        #expect(silence.timeout(for: "bus", upTo: deadline, at: at(10)) == .seconds(4))
        silence.noteTimeout(of: "bus", deadline, since: at(10))
        #expect(silence.timeout(for: "bus", upTo: deadline, at: at(13)) == .seconds(1))
        // The deadline is used up. A call then gets only the time that a working keyring needs.
        #expect(silence.timeout(for: "bus", upTo: deadline, at: at(14)) == .milliseconds(200))
        #expect(silence.timeout(for: "bus", upTo: .seconds(1), at: at(2)) == .milliseconds(100))
    }

    @Test func `an answer ends the silence, and so does time`() {
        let silence = KeyringBackoff()
        silence.noteTimeout(of: "bus", deadline, since: start)
        #expect(silence.timeout(for: "bus", upTo: deadline, at: at(59)) < deadline)
        #expect(silence.timeout(for: "bus", upTo: deadline, at: at(60)) == deadline)
        // The next silence starts with the next call.
        silence.noteTimeout(of: "bus", deadline, since: at(60))
        #expect(silence.timeout(for: "bus", upTo: deadline, at: at(70)) == .seconds(4))
        silence.noteResponse(of: "bus")
        #expect(silence.timeout(for: "bus", upTo: deadline, at: at(70)) == deadline)
    }

    @Test func `one bus that is silent takes no time from another`() {
        let silence = KeyringBackoff()
        silence.noteTimeout(of: "bus", deadline, since: start)
        #expect(silence.timeout(for: "other", upTo: deadline, at: at(10)) == deadline)
    }

    @Test func `callers at the same time count as one`() {
        let silence = KeyringBackoff()
        for _ in 0..<100 { silence.noteTimeout(of: "bus", deadline, since: start) }
        #expect(silence.timeout(for: "bus", upTo: deadline, at: at(10)) == .seconds(4))
    }
}
#endif
