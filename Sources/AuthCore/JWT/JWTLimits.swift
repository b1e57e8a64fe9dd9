// SPDX-License-Identifier: Apache-2.0

/// The limits on the size of a token.
public struct JWTLimits: Sendable, Hashable {
    /// The length limit, in bytes of the compact form.
    ///
    /// The default is 65,536. More than 2 GiB counts as 2 GiB.
    public var maximumLength: Int
    /// The deepest allowed nesting of lists and objects, in levels.
    ///
    /// The default is 16. The header or the claims themselves are the first level. More than 64 counts as 64.
    public var maximumDepth: Int

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - maximumLength: The length limit, in bytes.
    ///   - maximumDepth: The deepest nesting, in levels; more than 64 counts as 64.
    public init(maximumLength: Int = 65_536, maximumDepth: Int = 16) {
        self.maximumLength = maximumLength
        self.maximumDepth = maximumDepth
    }

    /// The effective length limit: positions in a token are 32-bit numbers.
    var length: Int { min(maximumLength, Int(Int32.max)) }

    /// The effective depth limit: beyond 64, a decoder of the caller's types could overflow a small thread's stack.
    var depth: Int { min(maximumDepth, 64) }

    /// The limits of 64 KiB and 16 levels: more than header fields carry, and than providers nest.
    public static let standard = JWTLimits()
}
