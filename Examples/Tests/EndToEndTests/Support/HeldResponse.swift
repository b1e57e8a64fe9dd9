// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import Synchronization

/// A gate that holds the backend's response to a refresh back, and tells when the backend has rotated the token.
final class HeldResponse: Sendable {
    private let isArmed = Atomic(false)
    private let (opened, opening) = AsyncStream.makeStream(of: Void.self)
    private let (rotated, rotation) = AsyncStream.makeStream(of: Void.self)

    func arm() { isArmed.store(true, ordering: .sequentiallyConsistent) }

    /// Waits without blocking a thread: two held responses would take both threads of a small machine.
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

    /// Makes a backend's responses pass this gate.
    func configure(_ settings: inout BackendSettings) {
        let onIssue = settings.onIssue
        settings.onIssue = { token in
            await onIssue?(token)
            await self.hold(token)
        }
    }
}
