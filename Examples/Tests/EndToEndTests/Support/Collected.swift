import Synchronization

/// Gathers what arrives from several tasks.
final class Collected<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    var all: [Element] { elements.withLock { $0 } }

    func append(_ element: Element) {
        elements.withLock { $0.append(element) }
    }
}
