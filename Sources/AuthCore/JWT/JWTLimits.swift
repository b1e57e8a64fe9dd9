/// How large a token may be that is read.
public struct JWTLimits: Sendable, Hashable {
    /// The longest token, in bytes of its compact form.
    public var maximumLength: Int
    /// How deep lists and objects may lie in each other, the header or the claims themselves being the first.
    ///
    /// More than 128 counts as 128.
    public var maximumDepth: Int

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - maximumLength: In bytes; more than any header field of a server takes is rarely of use.
    ///   - maximumDepth: At most 128 is taken, whatever is said.
    public init(maximumLength: Int = 65_536, maximumDepth: Int = 16) {
        self.maximumLength = maximumLength
        self.maximumDepth = maximumDepth
    }

    /// What the scanner is told: deeper than 128 it might leave its thread's stack.
    var depth: Int { min(maximumDepth, 128) }

    /// 64 KiB and 16 levels: far more than any provider's token needs.
    public static let standard = JWTLimits()
}
