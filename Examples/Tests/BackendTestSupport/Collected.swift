// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A collection of values that several tasks add to.
public final class Collected<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    /// Creates an empty collection.
    public init() {}

    /// The values so far, in order.
    public var all: [Element] { elements.withLock { $0 } }

    /// Adds a value.
    ///
    /// - Parameter element: The value.
    public func append(_ element: Element) {
        elements.withLock { $0.append(element) }
    }
}
