import Foundation
import ReferenceBackend
import Synchronization

/// Holds back the backend's answer to a refresh, and tells when it has carried it out.
final class HeldAnswer: Sendable {
    private let isArmed = Atomic(false)
    private let (opened, opening) = AsyncStream.makeStream(of: Void.self)
    private let (rotated, rotation) = AsyncStream.makeStream(of: Void.self)

    func arm() { isArmed.store(true, ordering: .sequentiallyConsistent) }

    /// Waits without a thread: two held answers would take both threads of a small machine.
    func hold(_ token: IssuedToken) async {
        guard token.kind == .refreshToken, isArmed.exchange(false, ordering: .sequentiallyConsistent) else {
            return
        }
        rotation.yield()
        for await _ in opened { break }
    }

    func isRotated() async {
        for await _ in rotated { break }
    }

    func open() { opening.yield() }

    /// Lets a backend's answers be held.
    func configure(_ settings: inout BackendSettings) {
        let onIssue = settings.onIssue
        settings.onIssue = { token in
            await onIssue?(token)
            await self.hold(token)
        }
    }
}
