import Foundation
import ReferenceBackend
import Synchronization

/// Holds back the backend's answer to a refresh, and tells when it has carried it out.
final class HeldAnswer: Sendable {
    private let isArmed = Atomic(false)
    private let opening = DispatchSemaphore(value: 0)
    private let (rotated, rotation) = AsyncStream.makeStream(of: Void.self)

    func arm() { isArmed.store(true, ordering: .sequentiallyConsistent) }

    func hold(_ token: IssuedToken) {
        guard token.kind == .refreshToken, isArmed.exchange(false, ordering: .sequentiallyConsistent) else {
            return
        }
        rotation.yield()
        opening.wait()
    }

    func isRotated() async {
        for await _ in rotated { break }
    }

    func open() { opening.signal() }

    /// Lets a backend's answers be held.
    func configure(_ settings: inout BackendSettings) {
        let onIssue = settings.onIssue
        settings.onIssue = { token in
            onIssue?(token)
            self.hold(token)
        }
    }
}
