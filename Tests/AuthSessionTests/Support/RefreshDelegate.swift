// SPDX-License-Identifier: Apache-2.0

import AuthTesting
import Synchronization

@testable import AuthSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The other process, as the hook of the session's options reaches it.
final class RefreshDelegate: Sendable {
    private let process = Mutex<AuthSession?>(nil)
    private let received = Mutex<[DelegatedRefresh]>([])
    /// Runs before a refresh, and returns whether the process carries it out.
    private let first: Mutex<@Sendable () throws(AuthSessionError) -> Bool>

    init(_ first: @escaping @Sendable () throws(AuthSessionError) -> Bool = { true }) { self.first = Mutex(first) }

    /// Runs after a refresh, before the session's own process learns of its end.
    private let last = Mutex<@Sendable () -> Void>({})

    func after(_ last: @escaping @Sendable () -> Void) { self.last.withLock { $0 = last } }

    func before(_ first: @escaping @Sendable () throws(AuthSessionError) -> Bool) {
        self.first.withLock { $0 = first }
    }

    var refreshes: [DelegatedRefresh] { received.withLock { $0 } }

    func play(_ session: AuthSession) { process.withLock { $0 = session } }

    var options: SessionOptions {
        var options = SessionOptions.still
        options.delegateRefresh = { [self] (refresh) async throws(AuthSessionError) in
            try await carryOut(refresh)
        }
        return options
    }

    private func carryOut(_ refresh: DelegatedRefresh) async throws(AuthSessionError) -> Bool {
        received.withLock { $0.append(refresh) }
        let first = first.withLock { $0 }
        guard try first() else { return false }
        do {
            // As through a pipe.
            let message = try JSONEncoder().encode(refresh)
            let read = try JSONDecoder().decode(DelegatedRefresh.self, from: message)
            try await process.withLock { $0 }?.carryOut(read)
        } catch {
            throw error as? AuthSessionError ?? AuthSessionError(.refreshOutcomeUnknown)
        }
        let last = last.withLock { $0 }
        last()
        return true
    }
}
