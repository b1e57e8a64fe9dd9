#if EncryptedFile
/// The thread on which one store works on its file, one call after the other.
actor EncryptedFileWorker {
    private let executor = BlockingExecutor(label: "sallyport.encrypted-file")
    private let file: EncryptedFile

    init(scope: StoreScope, folder: String?, cost: ScryptCost, passphrase: Passphrase) {
        file = EncryptedFile(scope: scope, folder: folder, cost: cost, passphrase: passphrase)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Does blocking work and answers the gate; nothing where the caller has left meanwhile.
    func perform<Value: Sendable>(for gate: CallGate<Value>, _ work: @Sendable (EncryptedFile) throws -> Value) {
        gate.answer { try work(file) }
    }
}
#endif
