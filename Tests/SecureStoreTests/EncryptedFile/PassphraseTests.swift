// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && canImport(Glibc)
import AuthCore
import Foundation
import Glibc
import SecureStore
import Testing
import TestSupport

@Suite struct PassphraseTests {
    @Test func `the description and the dump of a passphrase do not contain it`() throws {
        let passphrase = try Passphrase("open sesame")
        var dumped = ""
        dump(passphrase, to: &dumped)
        #expect(!"\(passphrase) \(String(reflecting: passphrase)) \(dumped)".contains("sesame"))
    }

    @Test(arguments: ["x", String(repeating: "x", count: 4_096), "é", "e\u{301}", "ends with a newline\n", "a\0b"])
    func `a passphrase keeps the UTF-8 bytes of its text unchanged`(text: String) throws {
        #expect(try Passphrase(text).unredacted == Array(text.utf8))
    }

    @Test func `the composed and the decomposed form of a letter make different passphrases`() throws {
        #expect(try Passphrase("é") != Passphrase("e\u{301}"))
        #expect(try Passphrase("é") == Passphrase("é"))
    }

    @Test(arguments: ["", String(repeating: "x", count: 4_097)])
    func `a text that is empty or too long is rejected`(text: String) {
        #expect(throws: SecureStoreError(.invalidPassphrase)) { try Passphrase(text) }
    }

    @Test(arguments: [
        ("open sesame", "open sesame"), ("open sesame\n", "open sesame"), ("open sesame\n\n", "open sesame\n"),
        ("open\nsesame\r\n", "open\nsesame\r"), (String(repeating: "x", count: 4_096) + "\n", nil),
    ])
    func `reading from a descriptor drops one trailing newline`(input: String, expected: String?) throws {
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
    func `input from a descriptor that is empty or too long is rejected`(input: String) throws {
        try withPipe(holding: input) { descriptor in
            #expect(throws: SecureStoreError(.invalidPassphrase)) { try Passphrase(readingFrom: descriptor) }
        }
    }

    @Test func `reading from a nonblocking descriptor waits for the input`() throws {
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

    @Test func `reading from a closed descriptor fails`() {
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
