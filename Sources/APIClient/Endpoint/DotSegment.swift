/// Finds the dot segments of a path, which lead out of it.
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
}
