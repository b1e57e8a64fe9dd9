#if Keyring && canImport(CSecretService)
/// The thread on which one store talks to the keyring, one call after the other, over one connection.
actor KeyringWorker {
    private let executor = BlockingExecutor(label: "sallyport.keyring")
    private let busAddress: String?
    /// Kept between calls: opening one costs more than a read, and some daemons can't bear one per call.
    private var connected: SecretService?

    init(busAddress: String?) {
        self.busAddress = busAddress
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Does blocking work and answers the gate; nothing where the caller has left meanwhile.
    func perform<Value: Sendable>(
        for gate: CallGate<Value>,
        before deadline: CallDeadline,
        _ work: @Sendable (SecretService) throws -> Value
    ) {
        guard !gate.isClosed else { return }
        gate.answer(Result { try attempt(work, before: deadline) })
    }

    /// Does the work, and once more on a new connection where the bus or the daemon has been restarted.
    ///
    /// All work is safe to do twice: each begins with a search for what is there.
    private func attempt<Value>(
        _ work: (SecretService) throws -> Value,
        before deadline: CallDeadline
    ) throws -> Value {
        do {
            do {
                return try work(try connect(before: deadline))
            } catch let fault as BusFault where fault.isStale {
                connected = nil
                return try work(try connect(before: deadline))
            }
        } catch let fault as BusFault {
            if fault.isStale { connected = nil }
            throw fault.storeError
        }
    }

    private func connect(before deadline: CallDeadline) throws -> SecretService {
        if let connected { return connected }
        guard let busAddress else { throw SecureStoreError(.noSessionBus) }
        let bus = try SessionBus(address: busAddress, deadline: deadline)
        let service = try SecretService(on: bus, before: deadline)
        connected = service
        return service
    }
}
#endif
