/// The names of the objects that a scanner is in, to find one that stands twice in its object.
///
/// Names are few, so they are compared one by one, and that only where a mask leaves a doubt; an object with many is
/// looked up in a set, so that no text takes more than linear time.
struct MemberNames {
    /// One object's names.
    struct Scope {
        fileprivate let base: Int
        /// A bit for every beginning there was; all of them where each further name is in doubt.
        fileprivate var seen: UInt64 = 0
        fileprivate var many: Set<String>?
    }

    private static let few = 24

    /// Those of the objects that are open, and behind them what is left of closed ones.
    private var names: [JSONName] = []
    private var count = 0

    func open() -> Scope { Scope(base: count) }

    mutating func close(_ scope: Scope) {
        count = scope.base
    }

    /// Adds a name; false where it is there already.
    @inline(__always)
    mutating func insert(_ name: JSONName, of text: Span<UInt8>, in scope: inout Scope) -> Bool {
        let bit = Self.bit(of: name)
        guard scope.seen & bit == 0 else { return insertDoubtful(name, of: text, in: &scope) }
        append(name, of: text, in: &scope)
        return true
    }

    /// One of 64 bits; all of them where the beginning says nothing.
    @inline(__always)
    private static func bit(of name: JSONName) -> UInt64 {
        guard name.token.kind == .plainString else { return .max }
        // A product that spreads what differs over the highest bits.
        return 1 << ((name.beginning &* 0x9E37_79B9_7F4A_7C15) >> 58)
    }

    private mutating func insertDoubtful(_ name: JSONName, of text: Span<UInt8>, in scope: inout Scope) -> Bool {
        if scope.many != nil {
            return scope.many?.insert(JSONString.text(name.token, in: text)).inserted == true
        }
        for index in scope.base..<count where JSONName.equal(name, names[index], in: text) { return false }
        append(name, of: text, in: &scope)
        return true
    }

    private mutating func append(_ name: JSONName, of text: Span<UInt8>, in scope: inout Scope) {
        if count < names.count {
            names[count] = name
        } else {
            if count == 0 { names.reserveCapacity(Self.few) }
            names.append(name)
        }
        count += 1
        scope.seen |= Self.bit(of: name)
        guard count - scope.base == Self.few else { return }
        scope.many = Set(names[scope.base..<count].map { JSONString.text($0.token, in: text) })
        scope.seen = .max
    }
}
