// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// An item of a query.
///
/// Its description shows nothing, because queries hold codes and states.
public struct QueryItem: Sendable, Hashable, Redacted {
    /// The name, not encoded.
    public let name: String
    /// The value, not encoded.
    public let value: String

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - name: The name, not encoded.
    ///   - value: The value, not encoded.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
