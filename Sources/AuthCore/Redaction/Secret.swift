/// A value that never shows itself: printed, interpolated, dumped or mirrored it reads `<redacted>`.
///
/// One accessor, `unredacted`, gives the raw value. Search a code base for that word to find every place where a secret
/// leaves its type. The types of this module compare in constant time, and their bytes are overwritten when the last
/// copy is released; a type of your own does so where it holds ``SecretBytes`` and leaves `==` to the compiler. None of
/// them is `Codable`: what is kept goes through a store.
public protocol Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What the type wraps: text for a token, bytes for a stored item.
    associatedtype Unredacted: Sendable

    /// The raw value. Secret: for the wire and the store alone.
    var unredacted: Unredacted { get }
}

extension Secret {
    /// Always `<redacted>`.
    public var description: String { "<redacted>" }

    /// Always `<redacted>`.
    public var debugDescription: String { "<redacted>" }

    /// A mirror without children, so that `dump` and a debugger's `po` see nothing.
    ///
    /// What reads memory, as LLDB's `v` does, is not kept from it.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
