// SPDX-License-Identifier: Apache-2.0

/// The dot segments of a path, which can lead out of it.
///
/// [RFC 3986, 5.2.4](https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4).
enum DotSegment {
    /// Whether a path has a dot segment, also with escaped dots: servers decode them before they resolve the path.
    static func isIn(_ path: String) -> Bool {
        // One pass over the bytes, because every request runs it: two string searches took twice the rest of the
        // client's work.
        let bytes = path.utf8
        var dots = 0
        var isDotsAlone = true
        var index = bytes.startIndex
        while index != bytes.endIndex {
            let byte = bytes[index]
            if byte == UInt8(ascii: "/") {
                if isDotsAlone, dots == 1 || dots == 2 { return true }
                (dots, isDotsAlone) = (0, true)
            } else if byte == UInt8(ascii: ".") {
                dots += 1
            } else if byte == UInt8(ascii: "%"), let last = endOfEscapedDot(bytes, from: index) {
                dots += 1
                index = last
            } else {
                isDotsAlone = false
            }
            bytes.formIndex(after: &index)
        }
        return isDotsAlone && (dots == 1 || dots == 2)
    }

    /// Returns the index of the last character of `%2e`, or nil if the percent sign begins anything else.
    private static func endOfEscapedDot(_ bytes: String.UTF8View, from percent: String.Index) -> String.Index? {
        let digits = bytes[percent...].dropFirst().prefix(2)
        guard digits.elementsEqual("2e".utf8) || digits.elementsEqual("2E".utf8) else { return nil }
        return bytes.index(percent, offsetBy: 2)
    }

    /// Removes the dot segments from a path that begins with a slash or is empty.
    static func removed(from path: String) -> String {
        var segments: [Substring] = []
        let all = path.split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in all.enumerated() {
            switch segment {
            case "..":
                // The root has nothing above it.
                if segments.count > 1 { segments.removeLast() }
                if index == all.count - 1 { segments.append("") }
            case ".":
                if index == all.count - 1 { segments.append("") }
            default:
                segments.append(segment)
            }
        }
        return segments.joined(separator: "/")
    }
}
