// SPDX-License-Identifier: Apache-2.0

import AuthSession
import AuthTesting
import SecureStore
import Synchronization

/// The lock that all simulated processes share; it is released when its holder dies.
final class LockTable: Sendable {
    private let holder = Mutex<Int?>(nil)

    fileprivate func acquires(_ life: Life) -> Bool {
        holder.withLock { holder in
            guard holder == nil else { return false }
            holder = life.number
            return true
        }
    }

    /// Releases the lock if this process holds it.
    func drop(_ life: Life) {
        holder.withLock { if $0 == life.number { $0 = nil } }
    }
}

/// The lock from one process's side.
struct SimulatedLock: ProcessLock {
    let table: LockTable
    let life: Life
    let clock: TestClock

    func withLock<Result>(timeout: Duration, _ work: () async throws -> Result) async throws -> Result {
        let end = clock.now.advanced(by: timeout)
        await life.pass()
        while !table.acquires(life) {
            guard clock.now < end else { throw SecureStoreError(.busy) }
            try await clock.sleep(until: clock.now.advanced(by: .milliseconds(150)))
            await life.pass()
        }
        defer { table.drop(life) }
        return try await work()
    }
}
