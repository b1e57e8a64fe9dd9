/// A value that never shows itself: printed, interpolated, dumped or mirrored it reads `<redacted>`.
///
/// Conforming types compare in constant time and have one accessor, `unredacted`, that gives the raw value. Search a
/// code base for that word to find every place where a secret leaves its type.
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

    /// A mirror without children, so that `dump` and debuggers see nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
