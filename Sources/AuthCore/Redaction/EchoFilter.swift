/// A filter that withholds text from a server if the text repeats a secret that was sent there.
///
/// Servers quote what they refuse: whole or truncated, in another case, percent-encoded, escaped for JSON or HTML, in
/// base64. A text counts as a repetition if a run of eight bytes of a secret stands in it, in any of these forms. A secret
/// of fewer bytes is looked for as a whole word, for it may be part of an ordinary one.
///
/// Printing a filter shows no secret.
package struct EchoFilter: Sendable, CustomStringConvertible, CustomReflectable {
    /// The number of times that a text may be escaped.
    private static let maximumLayers = 3

    private let secrets: [String]

    /// Makes a filter.
    ///
    /// - Parameter secrets: The values that were sent. Empty ones are ignored. Secret.
    package init(_ secrets: [String]) {
        self.secrets = secrets.filter { !$0.isEmpty }
    }

    /// Withholds a text that repeats a secret.
    ///
    /// The time is linear in the lengths of the text and the secrets.
    ///
    /// - Parameter text: The text as it would be shown, already cut to its length. From outside.
    /// - Returns: The text; nil if it repeats a secret.
    package func passed(_ text: String) -> String? {
        guard !secrets.isEmpty else { return text }
        let readings = Self.readings(of: Array(text.utf8)).map { $0.map(Self.folded) }
        let runs = Set(readings.flatMap { Runs($0) })
        let isRepeated = secrets.contains { secret in
            let bytes = Array(secret.utf8)
            if bytes.count < Runs.length {
                let word = bytes.map(Self.folded)
                if readings.contains(where: { Self.isWord(word, in: $0) }) { return true }
            }
            return Self.forms(of: bytes).contains { Runs($0).contains(where: runs.contains) }
        }
        return isRepeated ? nil : text
    }

    /// Returns the forms in which a secret is looked for: as it is, and in base64 at each of the three places where it may
    /// begin within other encoded bytes.
    private static func forms(of secret: [UInt8]) -> [[UInt8]] {
        let encoded = (0..<3).map { offset in
            // The first characters depend on the bytes before the secret.
            Base64URL.encode([UInt8](repeating: 0, count: offset) + secret).utf8.dropFirst(offset == 0 ? 0 : offset + 1)
        }
        return [secret.map(folded)] + encoded.map { $0.map(folded) }
    }

    /// Returns one byte for all the ways in which it is written: capital and small letters, a space and the plus sign that a
    /// form has in its place, the two alphabets of base64.
    private static func folded(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "+"), UInt8(ascii: "-"): UInt8(ascii: " ")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: ASCIIText.lowercased(byte)
        }
    }

    /// Returns the text as it is, and with each layer of escapes taken away.
    private static func readings(of text: [UInt8]) -> [[UInt8]] {
        var readings = [text]
        while readings.count <= maximumLayers, let last = readings.last {
            let next = EscapedText.unescaped(last)
            if next == last { break }
            readings.append(next)
        }
        return readings
    }

    private static func isWord(_ word: [UInt8], in text: [UInt8]) -> Bool {
        guard word.count <= text.count else { return false }
        return (0...(text.count - word.count)).contains { start in
            let end = start + word.count
            guard text[start..<end].elementsEqual(word) else { return false }
            return (start == 0 || !isLetter(text[start - 1])) && (end == text.count || !isLetter(text[end]))
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
        default: false
        }
    }

    /// The type alone.
    package var description: String { "EchoFilter(<redacted>)" }

    /// A mirror without children.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The runs of eight bytes in a text, each as one number.
private struct Runs: Sequence, IteratorProtocol {
    static let length = 8

    private let text: [UInt8]
    private var position = 0
    private var run: UInt64 = 0

    init(_ text: [UInt8]) {
        self.text = text
    }

    mutating func next() -> UInt64? {
        while position < text.count {
            run = run << 8 | UInt64(text[position])
            position += 1
            if position >= Self.length { return run }
        }
        return nil
    }
}
