// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
/// The content of `mimeapps.list`: the user's default programs.
///
/// Other lines stay as they are, byte for byte.
/// [Association between MIME types and applications](https://specifications.freedesktop.org/mime-apps-spec/latest/).
struct MIMEAssociations: Sendable, Hashable {
    private static let group = Array("[Default Applications]".utf8)

    private var lines: [ArraySlice<UInt8>]

    /// Reads the content of the file.
    init(_ bytes: [UInt8]) {
        lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // The last line ends with a line break.
        if lines.last?.isEmpty == true { lines.removeLast() }
    }

    /// The content for the file.
    var bytes: [UInt8] { lines.flatMap { $0 + [UInt8(ascii: "\n")] } }

    /// Makes a program the default for a type.
    ///
    /// - Parameters:
    ///   - entry: The name of the program's desktop entry.
    ///   - type: The MIME type.
    mutating func setDefault(_ entry: String, for type: String) {
        let line = Array("\(type)=\(entry)".utf8)
        let own = indices(of: type)
        if let first = own.first {
            lines[first] = line[...]
            for index in own.dropFirst().reversed() { lines.remove(at: index) }
        } else if let header = lines.firstIndex(where: { Self.trimmed($0).elementsEqual(Self.group) }) {
            lines.insert(line[...], at: header + 1)
        } else {
            lines += [Self.group[...], line[...]]
        }
    }

    /// Removes a program as the default for a type; another program stays the default.
    ///
    /// - Parameters:
    ///   - entry: The name of the program's desktop entry.
    ///   - type: The MIME type.
    mutating func removeDefault(_ entry: String, for type: String) {
        for index in indices(of: type).reversed()
        where Self.pair(lines[index])?.value.elementsEqual(entry.utf8) == true {
            lines.remove(at: index)
        }
    }

    /// Returns the lines of a type among the default programs.
    private func indices(of type: String) -> [Int] {
        var isInGroup = false
        return lines.indices.filter { index in
            let line = Self.trimmed(lines[index])
            if line.first == UInt8(ascii: "[") { isInGroup = line.elementsEqual(Self.group) }
            return isInGroup && Self.pair(line)?.key.elementsEqual(type.utf8) == true
        }
    }

    /// Returns the key and the value of a line, without the blanks around them, which `GKeyFile` ignores too.
    private static func pair(_ line: ArraySlice<UInt8>) -> (key: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
        guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return (trimmed(line[..<sign]), trimmed(line[(sign + 1)...]))
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
        let end = line.lastIndex { !isBlank($0) }
        return end.map { line[...$0].drop(while: isBlank) } ?? []
    }
}
#endif
