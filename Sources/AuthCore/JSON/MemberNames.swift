// SPDX-License-Identifier: Apache-2.0

/// The member names of the objects that a scanner is in, for finding duplicates.
///
/// Most objects have few names. These are compared one by one, and only if a bit mask doesn't rule out a duplicate. The
/// names of a large object are looked up in a set, so that every text takes at most linear time.
struct MemberNames {
    /// One object's names.
    struct Scope {
        fileprivate let base: Int
        /// A bit for each beginning so far; all bits if every further name needs a comparison.
        fileprivate var seen: UInt64 = 0
        fileprivate var many: Set<String>?
    }

    private static let few = 24

    /// The names of the open objects, followed by leftovers of closed ones.
    private var names: [JSONName] = []
    private var count = 0

    func open() -> Scope { Scope(base: count) }

    mutating func close(_ scope: Scope) {
        count = scope.base
    }

    /// Adds a name; returns false if the object already has it.
    @inline(__always)
    mutating func insert(_ name: JSONName, of text: Span<UInt8>, in scope: inout Scope) -> Bool {
        let bit = Self.bit(of: name)
        guard scope.seen & bit == 0 else { return insertDoubtful(name, of: text, in: &scope) }
        append(name, of: text, in: &scope)
        return true
    }

    /// Returns one of 64 bits; all bits if the name has no known beginning.
    @inline(__always)
    private static func bit(of name: JSONName) -> UInt64 {
        guard name.token.kind == .plainString else { return .max }
        // A product that carries differences into the highest bits.
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
