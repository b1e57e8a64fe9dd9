// SPDX-License-Identifier: Apache-2.0

import AuthSession
import SecureStore
import Synchronization
import TerminalOutput

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The output of the tool: results on standard output, everything else on standard error.
enum Terminal {
    /// The `errno` of the first write of a result that failed; zero if none did.
    private static let resultError = Atomic<Int32>(0)

    /// The sentence that says that a result is incomplete; nil if all of it was written.
    static var resultFailure: String? {
        let number = resultError.load(ordering: .relaxed)
        return number == 0 ? nil : "The result could not be written to standard output (errno \(number))."
    }

    /// Writes the result, alone on standard output.
    static func result(_ text: String) {
        writeResult(Array((text + "\n").utf8))
    }

    /// Writes a server's response: unchanged to a file or a pipe, escaped and with a final line break to a terminal.
    static func response(_ bytes: [UInt8]) {
        guard isatty(STDOUT_FILENO) == 1 else { return writeResult(bytes) }
        let text = TerminalText.escaped(bytes)
        writeResult(Array((text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n").utf8))
    }

    /// Runs work, and runs it once more if the store was locked and the user at a terminal has unlocked it.
    ///
    /// If the user does not within 20 seconds, the first error stands.
    static func unlocking<Value>(_ store: any SecureStore, _ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch {
            let cause = (error as? SecureStoreError) ?? (error as? AuthSessionError)?.underlying as? SecureStoreError
            guard cause?.code == .locked, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1,
                (try? await store.unlock(timeout: .seconds(20))) != nil
            else { throw error }
            return try await work()
        }
    }

    /// Writes progress and notes.
    static func note(_ text: String) {
        // If standard error is closed, there is no place to say so.
        _ = write(Array((text + "\n").utf8), to: STDERR_FILENO)
    }

    /// Returns untrusted text made safe to show: on one line, without control characters or bidirectional controls.
    ///
    /// - Parameters:
    ///   - text: The text from a server or a token.
    ///   - limit: The maximum number of scalars.
    /// - Returns: The text, or nil if nothing of it remains.
    static func shown(_ text: String, limit: Int = 300) -> String? {
        let kept = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        return kept.isEmpty ? nil : String(kept.prefix(limit))
    }

    private static func writeResult(_ bytes: [UInt8]) {
        let number = write(bytes, to: STDOUT_FILENO)
        if number != 0 { resultError.store(number, ordering: .relaxed) }
    }

    /// Writes all bytes.
    ///
    /// - Returns: The `errno` of the write that failed; zero if none did.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Self.writeOnce(descriptor, $0) }
            if count < 0 {
                guard errno == EINTR else { return errno }
                continue
            }
            rest = rest.dropFirst(count)
        }
        return 0
    }

    private static func writeOnce(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #else
        unsafe Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }
}
