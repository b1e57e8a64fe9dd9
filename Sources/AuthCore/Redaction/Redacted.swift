// SPDX-License-Identifier: Apache-2.0

/// A type whose values show no contents when they are printed, interpolated, dumped or mirrored.
///
/// Declare the conformance; there is nothing to implement:
///
///     extension PaymentCard: Redacted {}
///     print(card)    // PaymentCard(<redacted>)
///
/// A type that may show a part of itself, such as a URL's origin, implements `description`. The other two
/// follow it. The protocol keeps values out of text, but not from a program that reads memory, such as LLDB's `v`.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// The type's name and `(<redacted>)`.
    public var description: String { "\(Self.self)(<redacted>)" }

    /// The same text as `description`.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` and a debugger's `po` show nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
