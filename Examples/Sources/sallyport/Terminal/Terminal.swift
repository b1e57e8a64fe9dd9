// SPDX-License-Identifier: Apache-2.0

import SecureStore
import TerminalOutput

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The output of the tool: results on standard output, everything else on standard error.
enum Terminal {
    /// Writes the result, alone on standard output.
    static func result(_ text: String) {
        write(Array((text + "\n").utf8), to: STDOUT_FILENO)
    }

    /// Writes a server's response: unchanged to a file or a pipe, escaped and with a final line break to a terminal.
    static func response(_ bytes: [UInt8]) {
        guard isatty(STDOUT_FILENO) == 1 else { return write(bytes, to: STDOUT_FILENO) }
        let text = TerminalText.escaped(bytes)
        write(Array((text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n").utf8), to: STDOUT_FILENO)
    }

    /// The policy that allows the store to ask the user at a terminal, for 20 seconds at most.
    static var interaction: InteractionPolicy {
        isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 ? .allowed(until: .now + .seconds(20)) : .never
    }

    /// Writes progress and notes.
    static func note(_ text: String) {
        write(Array((text + "\n").utf8), to: STDERR_FILENO)
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

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Self.writeOnce(descriptor, $0) }
            // The output is closed, so the error can't be reported.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func writeOnce(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #else
        unsafe Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }
}
