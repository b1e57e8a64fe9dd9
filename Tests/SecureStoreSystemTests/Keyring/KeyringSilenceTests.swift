#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import Testing
import TestSupport

@testable import SecureStore
@testable import SecureStoreTests

/// All calls of a command to a keyring that does not answer have one deadline together.
@Suite struct KeyringSilenceTests {
    private let deadline = Duration.seconds(10)
    private let start = SuspendingClock().now

    private func at(_ seconds: Int) -> SuspendingClock.Instant { start.advanced(by: .seconds(seconds)) }

    @Test func `after a call without an answer those that follow share two fifths of its deadline`() {
        let silence = KeyringSilence()
        #expect(silence.patience(for: "bus", upTo: deadline, at: start) == deadline)
        silence.noteTimeout(of: "bus", deadline, since: start)
        #expect(silence.patience(for: "bus", upTo: deadline, at: at(10)) == .seconds(4))
        silence.noteTimeout(of: "bus", deadline, since: at(10))
        #expect(silence.patience(for: "bus", upTo: deadline, at: at(13)) == .seconds(1))
        // Used up: as long as a keyring takes that works.
        #expect(silence.patience(for: "bus", upTo: deadline, at: at(14)) == .milliseconds(200))
        #expect(silence.patience(for: "bus", upTo: .seconds(1), at: at(2)) == .milliseconds(100))
    }

    @Test func `an answer ends the silence, and so does time`() {
        let silence = KeyringSilence()
        silence.noteTimeout(of: "bus", deadline, since: start)
        #expect(silence.patience(for: "bus", upTo: deadline, at: at(59)) < deadline)
        #expect(silence.patience(for: "bus", upTo: deadline, at: at(60)) == deadline)
        // The next silence begins with the next call.
        silence.noteTimeout(of: "bus", deadline, since: at(60))
        #expect(silence.patience(for: "bus", upTo: deadline, at: at(70)) == .seconds(4))
        silence.noteAnswer(of: "bus")
        #expect(silence.patience(for: "bus", upTo: deadline, at: at(70)) == deadline)
    }

    @Test func `one bus that is silent takes no time from another`() {
        let silence = KeyringSilence()
        silence.noteTimeout(of: "bus", deadline, since: start)
        #expect(silence.patience(for: "other", upTo: deadline, at: at(10)) == deadline)
    }

    @Test func `callers at the same time count as one`() {
        let silence = KeyringSilence()
        for _ in 0..<100 { silence.noteTimeout(of: "bus", deadline, since: start) }
        #expect(silence.patience(for: "bus", upTo: deadline, at: at(10)) == .seconds(4))
    }

    @Test func `eight calls of two stores to a mute bus share their deadline`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let socket = folder.url.appendingPathComponent("mute")
        let mute = try UnixSocket.mute(at: socket)
        defer { withExtendedLifetime(mute) {} }
        let time = try await ContinuousClock().measure {
            for name in ["com.example.one", "com.example.two"] {
                let service = try StoreService(name)
                let address = "unix:path=\(socket.path)"
                let store = KeyringStore(service: service, deadline: .seconds(4), busAddress: address)
                for operation in [StoreOperation.read, .remove, .removeAll, .listKeys] {
                    await #expect(throws: SecureStoreError(.timedOut)) {
                        try await operation.run(on: store, expecting: SecretBytes([1]))
                    }
                }
            }
        }
        #expect(time < .seconds(16), "with a deadline for each call it was 32 seconds")
    }

    @Test(.needsKeyring) func `a sign-out from a stopped daemon is remembered within two deadlines`() async throws {
        try await PrivateKeyring.with { keyring in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            func store(deadline: Duration) throws -> StickyStore {
                let place = StickyStore.Place(.keyring, try keyring.store(deadline: deadline))
                return try StickyStore(places: [place], initially: .keyring, notesIn: folder.url.path)
            }
            try await store(deadline: .seconds(60)).setItem(SecretBytes(text: "kept"), forKey: .session)
            keyring.pause()
            let hasty = try store(deadline: .seconds(3))
            let time = try await ContinuousClock().measure {
                // As a sign-out does it: read, then remove what can't be read.
                await #expect(throws: SecureStoreError(.timedOut)) { try await hasty.item(forKey: .session) }
                try await hasty.removeAll()
            }
            #expect(time < .seconds(8), "with a deadline for each call it was 9 seconds")
            #expect(try await hasty.pendingRemovals == [.keyring: .all])
            keyring.resume()
            // The one that recovers is used again, and what was remembered is done.
            let patient = try store(deadline: .seconds(60))
            #expect(try await patient.item(forKey: .session) == nil)
            #expect(try await keyring.itemCount() == 0)
            #expect(patient.finishedRemovals == [.keyring])
        }
    }
}
#endif
