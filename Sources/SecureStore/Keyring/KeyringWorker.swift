// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
internal import AuthCore

/// The actor that makes one store's keyring calls in sequence, on one thread and one connection.
actor KeyringWorker {
    private let executor = BlockingExecutor(label: "sallyport.keyring")
    private let environment: KeyringEnvironment
    /// The session, kept between calls.
    ///
    /// Opening one costs more than a read, and some daemons can't handle one per call.
    private var connected: SecretService?

    init(_ environment: KeyringEnvironment) {
        self.environment = environment
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Runs blocking work and passes its result to the promise; does nothing if the caller no longer waits.
    func perform<Value: Sendable>(
        for promise: Promise<Value>,
        before deadline: CallDeadline,
        _ work: @Sendable (SecretService) throws -> Value
    ) {
        promise.finish { try Result { try attempt(work, before: deadline) }.mapError(inSandbox).get() }
    }

    /// Runs work, and runs it once more on a new connection if the bus or the daemon has been restarted.
    ///
    /// Safe: all work can run twice. It begins with a search for the present items, and a conditional write remembers
    /// that it was sent.
    private func attempt<Value>(
        _ work: (SecretService) throws -> Value,
        before deadline: CallDeadline
    ) throws -> Value {
        do {
            do {
                return try work(try connect(before: deadline))
            } catch let fault as BusError where fault.isStale {
                connected = nil
                return try work(try connect(before: deadline))
            }
        } catch let fault as BusError {
            if fault.isStale { connected = nil }
            throw fault.storeError
        }
    }

    /// Returns `sandboxed` in place of an error that a sandbox causes.
    ///
    /// A sandbox hides or refuses the keyring without saying so.
    private func inSandbox(_ error: any Error) -> any Error {
        guard environment.sandbox != nil, let error = error as? SecureStoreError else { return error }
        guard error.code == .noProvider || error.code == .denied else { return error }
        return SecureStoreError(.sandboxed, detail: error.detail)
    }

    /// Finds the program that runs the keyring, over a connection of its own.
    func findProgram(for promise: Promise<KeyringProgram?>, before deadline: CallDeadline) {
        let program = Result {
            do {
                return try SecretService.program(on: try environment.connect(before: deadline), before: deadline)
            } catch let fault as BusError {
                throw fault.storeError
            }
        }
        promise.finish(program.mapError(inSandbox))
    }

    private func connect(before deadline: CallDeadline) throws -> SecretService {
        if let connected { return connected }
        let service = try SecretService(on: try environment.connect(before: deadline), before: deadline)
        connected = service
        return service
    }
}
#endif
