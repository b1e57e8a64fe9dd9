import SecureStore

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Where the tool writes: results to standard output, all else to standard error.
enum Terminal {
    /// The result, alone on standard output.
    static func result(_ text: String) {
        write(Array((text + "\n").utf8), to: STDOUT_FILENO)
    }

    /// Writes a server's response: byte for byte to a file or a pipe, escaped and ended with a line break to a terminal.
    static func response(_ bytes: [UInt8]) {
        guard isatty(STDOUT_FILENO) == 1 else { return write(bytes, to: STDOUT_FILENO) }
        let text = TerminalText.escaped(bytes)
        write(Array((text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n").utf8), to: STDOUT_FILENO)
    }

    /// Whether the store may ask the user about what this command was called for: only at a terminal, and not for long.
    static var interaction: InteractionPolicy {
        isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 ? .allowed(until: .now + .seconds(20)) : .never
    }

    /// Progress and notes.
    static func note(_ text: String) {
        write(Array((text + "\n").utf8), to: STDERR_FILENO)
    }

    /// Text from outside as it may be shown: on one line, without what drives a terminal or turns the writing round.
    ///
    /// - Parameters:
    ///   - text: What a server or a token says.
    ///   - limit: How much of it is shown at most.
    /// - Returns: The text; nil where nothing is left of it.
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
            // Nobody reads any more: there is nobody to tell.
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
