#if EncryptedFile && canImport(Glibc)
import AuthCore
import Foundation
import Glibc
import SecureStore
import Testing
import TestSupport

@Suite struct PassphraseTests {
    @Test func `a passphrase never shows itself`() throws {
        let passphrase = try Passphrase("open sesame")
        var dumped = ""
        dump(passphrase, to: &dumped)
        #expect(!"\(passphrase) \(String(reflecting: passphrase)) \(dumped)".contains("sesame"))
    }

    @Test(arguments: ["x", String(repeating: "x", count: 4_096), "é", "e\u{301}", "ends with a newline\n", "a\0b"])
    func `text is taken as its bytes are`(text: String) throws {
        #expect(try Passphrase(text).unredacted == Array(text.utf8))
    }

    @Test func `two ways to write one letter are two passphrases`() throws {
        #expect(try Passphrase("é") != Passphrase("e\u{301}"))
        #expect(try Passphrase("é") == Passphrase("é"))
    }

    @Test(arguments: ["", String(repeating: "x", count: 4_097)])
    func `text that is empty or too long is no passphrase`(text: String) {
        #expect(throws: SecureStoreError(.invalidPassphrase)) { try Passphrase(text) }
    }

    @Test(arguments: [
        ("open sesame", "open sesame"), ("open sesame\n", "open sesame"), ("open sesame\n\n", "open sesame\n"),
        ("open\nsesame\r\n", "open\nsesame\r"), (String(repeating: "x", count: 4_096) + "\n", nil),
    ])
    func `from a descriptor one newline at the end is left out`(input: String, expected: String?) throws {
        try withPipe(holding: input) { descriptor in
            let passphrase = try Passphrase(readingFrom: descriptor)
            #expect(passphrase.unredacted == Array((expected ?? String(input.dropLast())).utf8))
            // The descriptor is still open.
            #expect(fcntl(descriptor, F_GETFD) >= 0)
        }
    }

    @Test(arguments: [
        "", "\n", String(repeating: "x", count: 4_097), String(repeating: "x", count: 4_097) + "\n",
        String(repeating: "x", count: 50_000),
    ])
    func `from a descriptor too what is empty or too long is no passphrase`(input: String) throws {
        try withPipe(holding: input) { descriptor in
            #expect(throws: SecureStoreError(.invalidPassphrase)) { try Passphrase(readingFrom: descriptor) }
        }
    }

    @Test func `a descriptor that does not block is waited for`() throws {
        let pipe = Pipe()
        let (reader, writer) = (pipe.fileHandleForReading.fileDescriptor, pipe.fileHandleForWriting)
        #expect(fcntl(reader, F_SETFL, O_NONBLOCK) == 0)
        let thread = Thread {
            try? writer.write(contentsOf: Data("open ".utf8))
            // Waits until that has been read, so that the reader finds no data before the next write.
            var left: Int32 = 1
            while left > 0, unsafe ioctl(reader, UInt(FIONREAD), &left) == 0 { sched_yield() }
            try? writer.write(contentsOf: Data("sesame\n".utf8))
            try? writer.close()
        }
        thread.start()
        #expect(try Passphrase(readingFrom: reader) == Passphrase("open sesame"))
    }

    @Test func `a descriptor that is not open fails`() {
        #expect(throws: SecureStoreError(.failed)) { try Passphrase(readingFrom: -1) }
    }

    private func withPipe(holding input: String, _ body: (Int32) throws -> Void) throws {
        let pipe = Pipe()
        // The input fits into a pipe without a reader.
        try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try pipe.fileHandleForWriting.close()
        try body(pipe.fileHandleForReading.fileDescriptor)
    }
}
#endif
