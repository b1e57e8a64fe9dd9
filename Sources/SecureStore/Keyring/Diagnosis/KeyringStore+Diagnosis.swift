#if Keyring && canImport(CSecretService)
internal import AuthCore

extension KeyringStore {
    /// How strongly the keyring protects what it keeps.
    ///
    /// ``StoreProtection/keyringInClear`` where the file of gnome-keyring's default keyring is seen to be in clear;
    /// else ``StoreProtection/keyring``, also where the keyring can't be reached now.
    public var protection: StoreProtection {
        get async {
            guard let folder = surroundings.keyringFolder else { return .keyring }
            let isInClear = try? await calls.make { keyring, deadline in
                guard let collection = try keyring.defaultCollection(before: deadline) else { return false }
                return KeyringFile.isInClear(collection, in: folder)
            }
            return isInClear == true ? .keyringInClear : .keyring
        }
    }

    /// Looks at the bus, the service and the default keyring, and tries a value of its own.
    ///
    /// - Returns: What was found, and what mends what is wrong. Holds no secret.
    public func diagnose() async -> StoreDiagnosis {
        var diagnosis = StoreDiagnosis(protection: .keyring, place: surroundings.busAddress)
        var program: KeyringProgram?
        do {
            program = try await calls.program()
            diagnosis.provider = program?.name
            diagnosis.protection = await protection
            let (state, problem) = try await calls.make { keyring, deadline in
                var state = KeyringState()
                do {
                    try keyring.look(before: deadline, into: &state)
                    return (state, SecureStoreError?.none)
                } catch let error as SecureStoreError {
                    return (state, error)
                } catch let fault as BusFault where !fault.isStale {
                    return (state, fault.storeError)
                }
            }
            diagnosis.collection = state.collection.map { $0.label ?? $0.path.text }
            diagnosis.isLocked = state.isLocked
            diagnosis.problem = problem
            if problem == nil { try await probe() }
        } catch let error as SecureStoreError {
            diagnosis.problem = error
        } catch {
            diagnosis.problem = SecureStoreError(.failed)
        }
        let mending = diagnosis.problem.flatMap {
            KeyringAdvice($0.code, program: program, sandbox: surroundings.sandbox)
        }
        (diagnosis.advice, diagnosis.command) = (mending?.advice, mending?.command)
        return diagnosis
    }
}
#endif
