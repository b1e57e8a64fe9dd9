/// The names of the objects that a scanner is in, to find one that stands twice in its object.
///
/// Names are few, so they are compared one by one; an object with many is looked up in a set, so that no text takes more
/// than linear time.
struct MemberNames {
    private struct Name {
        let token: JSONToken
        let hint: UInt64
    }

    /// One object's names.
    struct Scope {
        fileprivate let base: Int
        fileprivate var many: Set<String>?
    }

    private static let few = 24

    private var names: [Name] = []

    func open() -> Scope { Scope(base: names.count) }

    mutating func close(_ scope: Scope) {
        names.removeLast(names.count - scope.base)
    }

    /// Adds a name; false where it is there already.
    mutating func insert(_ token: JSONToken, of text: Span<UInt8>, in scope: inout Scope) -> Bool {
        if scope.many != nil {
            return scope.many?.insert(JSONString.text(token, in: text)).inserted == true
        }
        let name = Name(token: token, hint: token.kind == .plainString ? Self.hint(token, text) : 0)
        for index in scope.base..<names.count where Self.equal(name, names[index], text) { return false }
        if names.capacity == 0 { names.reserveCapacity(Self.few) }
        names.append(name)
        if names.count - scope.base == Self.few {
            scope.many = Set(names[scope.base...].map { JSONString.text($0.token, in: text) })
        }
        return true
    }

    private static func equal(_ left: Name, _ right: Name, _ text: Span<UInt8>) -> Bool {
        guard left.token.kind == .plainString, right.token.kind == .plainString else {
            return JSONString.text(left.token, in: text) == JSONString.text(right.token, in: text)
        }
        let length = left.token.end - left.token.start
        guard left.hint == right.hint, right.token.end - right.token.start == length else { return false }
        for offset in 0..<length where text[left.token.start + offset] != text[right.token.start + offset] {
            return false
        }
        return true
    }

    /// The first bytes: a hint, and never trusted for equality.
    private static func hint(_ token: JSONToken, _ text: Span<UInt8>) -> UInt64 {
        let count = token.end - token.start
        if let bytes = EightBytes(text, at: token.start) { return bytes.prefix(count) }
        // The same number, put together at the text's end, where there are not eight bytes any more.
        var number: UInt64 = 0
        for offset in (0..<min(count, 8)).reversed() { number = number << 8 | UInt64(text[token.start + offset]) }
        return number
    }
}
