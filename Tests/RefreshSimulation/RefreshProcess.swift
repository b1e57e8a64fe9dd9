// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthSession

/// A process that carries out one refresh for another one, whose death does not end it.
enum RefreshProcess {
    /// Starts the process, and waits for it.
    ///
    /// - Returns: True: it has sent what there was to send.
    /// - Throws: The error of the refresh; `refreshOutcomeUnknown` if the process dies.
    static func carryOut(
        _ refresh: DelegatedRefresh,
        for caller: Life,
        in world: World
    ) async throws(AuthSessionError) -> Bool {
        do {
            await caller.pass()
            let process = try SimulatedProcess(in: world, delegates: false)
            let life = process.life
            world.note("process \(life.number) refreshes for process \(caller.number)")
            let end = Promise<Void>()
            Task {
                do {
                    try await process.session.carryOut(refresh)
                    end.finish(.success(()))
                } catch {
                    end.finish(.failure(error))
                }
                // It saves the tokens after its report, too.
                while await process.session.persistenceError != nil {
                    try await world.clock.sleep(for: .seconds(1))
                }
                life.kill()
                world.locks.drop(life)
            }
            Task {
                while !life.isDead { try await world.clock.sleep(for: .milliseconds(200)) }
                end.finish(.failure(AuthSessionError(.refreshOutcomeUnknown)))
            }
            defer { if let family = world.presented(by: life) { world.presents(tokenOf: family, caller) } }
            try await end.value()
            await caller.pass()
            return true
        } catch {
            await caller.pass()
            throw error as? AuthSessionError ?? AuthSessionError(.refreshOutcomeUnknown)
        }
    }
}
