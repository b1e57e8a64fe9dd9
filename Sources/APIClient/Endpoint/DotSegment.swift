/// The dot segments of a path, which lead out of it.
///
/// [RFC 3986, 5.2.4](https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4).
enum DotSegment {
    /// Whether a path has one, also one whose dots are escaped: servers decode them before they walk the path.
    static func isIn(_ path: String) -> Bool {
        path.split(separator: "/").contains { segment in
            let decoded = segment.replacing("%2e", with: ".").replacing("%2E", with: ".")
            return decoded == "." || decoded == ".."
        }
    }

    /// Walks a path that begins with a slash or is empty, so that no dot segment is left.
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
