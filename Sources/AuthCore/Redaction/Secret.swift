// SPDX-License-Identifier: Apache-2.0

/// A value that reads `<redacted>` when it is printed, interpolated, dumped or mirrored.
///
/// One property, ``unredacted``, returns the raw value. Search a code base for that word to find every place where a
/// secret leaves its type. The types of this module compare in constant time, and overwrite their bytes when the last
/// copy is released. A type of your own does the same if it holds ``SecretBytes`` and leaves `==` to the compiler.
/// None of them is `Codable`: a store persists them.
public protocol Secret: Sendable, Equatable, Redacted {
    /// The wrapped type: text for a token, bytes for a stored item.
    associatedtype Unredacted: Sendable

    /// The raw value. Secret: for HTTP requests and the store only.
    var unredacted: Unredacted { get }
}

extension Secret {
    /// The text `<redacted>`.
    public var description: String { "<redacted>" }
}
