import Synchronization

/// Gathers what arrives from several tasks.
public final class Collected<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    /// Gathers from now on.
    public init() {}

    /// What has arrived so far, in order.
    public var all: [Element] { elements.withLock { $0 } }

    /// Adds what has arrived.
    ///
    /// - Parameter element: What has arrived.
    public func append(_ element: Element) {
        elements.withLock { $0.append(element) }
    }
}
