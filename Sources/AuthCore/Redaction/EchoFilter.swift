// SPDX-License-Identifier: Apache-2.0

/// A filter that withholds text from a server if the text repeats a secret that was sent there.
///
/// Servers quote what they refuse: whole or truncated, in another case, percent-encoded, escaped for JSON or HTML, in
/// base64. A text repeats a secret if it contains a run of eight bytes of the secret in any of these forms. But a run
/// of letters and punctuation may be a server's own words, as in the API key `customer-ios-9f2c`. It must have sixteen
/// bytes, or be the whole secret. A secret of fewer than eight bytes must appear as a whole word.
///
/// A printed filter shows no secret.
package struct EchoFilter: Sendable, Redacted {
    /// The most layers of escapes that are removed from a text.
    private static let maximumLayers = 3

    private let secrets: [String]

    /// Creates a filter.
    ///
    /// - Parameter secrets: The values that were sent. Empty ones are ignored. Secret.
    package init(_ secrets: [String]) {
        self.secrets = secrets.filter { !$0.isEmpty }
    }

    /// Withholds a text that repeats a secret.
    ///
    /// The time is linear in the lengths of the text and the secrets.
    ///
    /// - Parameter text: The text as it would be shown, already truncated. Untrusted.
    /// - Returns: The text; nil if it repeats a secret.
    package func passed(_ text: String) -> String? {
        guard !secrets.isEmpty else { return text }
        let readings = Self.readings(of: text)
        let runs = Set(readings.flatMap { Runs($0) })
        let isRepeated = secrets.contains { secret in
            // The secret's own readings too: one layer of the text's escapes may be of several kinds, and the secret
            // may contain one of them.
            let forms = Self.readings(of: secret)
            return forms.contains { Self.isRepeated($0, in: readings, with: runs) }
                || Self.encodings(of: secret).contains { Runs($0).contains(where: runs.contains) }
        }
        return isRepeated ? nil : text
    }

    private static func isRepeated(_ secret: [UInt8], in readings: [[UInt8]], with runs: Set<Run>) -> Bool {
        guard secret.count >= Runs.shortest else { return readings.contains { isWord(secret, in: $0) } }
        if Runs(secret).contains(where: { !$0.isProse && runs.contains($0) }) { return true }
        let length = min(secret.count, Runs.longest)
        let longRuns = Set(readings.flatMap { Runs($0, length: length) })
        return Runs(secret, length: length).contains(where: longRuns.contains)
    }

    /// Returns a secret in base64 at each of the three offsets at which it may begin within other encoded bytes.
    private static func encodings(of secret: String) -> [[UInt8]] {
        (0..<3).map { offset in
            let encoded = Base64URL.encode([UInt8](repeating: 0, count: offset) + secret.utf8)
            // The first characters depend on the bytes before the secret.
            return encoded.utf8.dropFirst(offset == 0 ? 0 : offset + 1).map(folded)
        }
    }

    /// Returns one byte for all spellings of it: upper and lower case, a space and the plus sign that a form writes for
    /// it, and both alphabets of base64.
    private static func folded(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "+"), UInt8(ascii: "-"): UInt8(ascii: " ")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: ASCIIText.lowercased(byte)
        }
    }

    /// Returns a text as it is, and with each layer of escapes removed.
    private static func readings(of text: String) -> [[UInt8]] {
        var readings = [visible(text.utf8)]
        while readings.count <= maximumLayers, let last = readings.last {
            let next = visible(EscapedText.unescaped(last))
            if next == last { break }
            readings.append(next)
        }
        return readings.map { $0.map(folded) }
    }

    /// Returns a text without invisible characters, which a secret may contain but an error's text doesn't.
    private static func visible(_ text: some Collection<UInt8>) -> [UInt8] {
        Array(String(String(decoding: text, as: UTF8.self).unicodeScalars.filter(\.isVisible)).utf8)
    }

    private static func isWord(_ word: [UInt8], in text: [UInt8]) -> Bool {
        guard !word.isEmpty, word.count <= text.count else { return false }
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
}

/// A run of bytes.
private struct Run: Hashable {
    let bytes: UInt128
    /// Whether the run consists of letters and the punctuation of sentences, as ``EchoFilter`` folds them.
    let isProse: Bool
}

/// The runs of a length in a text.
private struct Runs: Sequence, IteratorProtocol {
    static let shortest = 8
    static let longest = 16

    private let text: [UInt8]
    private let length: Int
    private var position = 0
    private var bytes: UInt128 = 0
    /// The number of consecutive prose bytes that end at the position.
    private var proseLength = 0

    init(_ text: [UInt8], length: Int = Runs.shortest) {
        self.text = text
        self.length = length
    }

    mutating func next() -> Run? {
        while position < text.count {
            bytes = bytes << 8 | UInt128(text[position])
            proseLength = Self.isProse(text[position]) ? proseLength + 1 : 0
            position += 1
            guard position >= length else { continue }
            let mask = UInt128.max >> (8 * (Self.longest - length))
            return Run(bytes: bytes & mask, isProse: proseLength >= length)
        }
        return nil
    }

    private static func isProse(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...: true
        default: " /.,:;'".utf8.contains(byte)
        }
    }
}
