/// How large a token may be that is read.
public struct JWTLimits: Sendable, Hashable {
    /// The longest token, in bytes of its compact form.
    ///
    /// 65,536 unless said otherwise; more than 2 GiB counts as 2 GiB.
    public var maximumLength: Int
    /// How deep lists and objects may lie in each other.
    ///
    /// 16 unless said otherwise. The header or the claims themselves are the first. More than 64 counts as 64.
    public var maximumDepth: Int

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - maximumLength: The longest token, in bytes.
    ///   - maximumDepth: The deepest nesting, in levels; more than 64 counts as 64.
    public init(maximumLength: Int = 65_536, maximumDepth: Int = 16) {
        self.maximumLength = maximumLength
        self.maximumDepth = maximumDepth
    }

    /// What is looked at: a token's places are numbers of 32 bits.
    var length: Int { min(maximumLength, Int(Int32.max)) }

    /// What the scanner is told: deeper than 64, a decoder of the caller's types might leave a small thread's stack.
    var depth: Int { min(maximumDepth, 64) }

    /// 64 KiB and 16 levels: more than header fields carry, and than providers nest.
    public static let standard = JWTLimits()
}
