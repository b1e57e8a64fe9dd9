// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SecureStore
import SessionStores

/// The check that the store of a profile's session can be used, and then the checks of the session and its lock.
struct StoreCheckup {
    let global: GlobalOptions

    func findings() async -> [Finding] {
        let store: any SecureStore
        let place: SessionLocation
        let name: String
        do {
            place = try global.place()
            name = place.choice.rawValue.capitalized
            store = try place.open()
        } catch {
            let failure = Failure(error) ?? Failure(.failed, "The store can't be opened.", "Try again.")
            // Opening a store only makes its folders.
            let error = error as? SecureStoreError
            let advice =
                error?.code == .failed && FolderCheckup.problem(in: error?.detail) == nil
                ? "Check that you can write to your home folder, or to XDG_STATE_HOME and XDG_DATA_HOME."
                : failure.advice
            return [Finding(subject: "Store", sentence: failure.message, advice: advice, status: failure.status)]
        }
        let problem = await problem(of: store, place.choice)
        var findings = [await finding(name, store, place, problem)] + remembered(store)
        // A store in memory is new with each command.
        if place.choice != .memory { findings.append(await LockCheckup(scope: place.scope).finding()) }
        if problem == nil { findings.append(await SessionCheckup(global: global, store: store).finding()) }
        return findings
    }

    /// Returns the reason why the store can't be used; nil if it can.
    private func problem(of store: any SecureStore, _ choice: StoreChoice) async -> SecureStoreError? {
        do {
            switch choice {
            case .keyring: try await store.probe()
            // A probe would create the file.
            case .file: _ = try await store.item(forKey: StoreKey("session"))
            case .memory: break
            }
            return nil
        } catch {
            return (error as? SecureStoreError) ?? SecureStoreError(.failed, detail: "cancelled")
        }
    }

    private func finding(
        _ name: String,
        _ store: any SecureStore,
        _ place: SessionLocation,
        _ problem: SecureStoreError?
    ) async -> Finding {
        var (kept, warnings, advice): ([String?], [String], StoreAdvice?) = ([], [], nil)
        switch place.choice {
        case .memory: break
        case .file:
            let path = place.filePath
            kept = [path]
            advice = problem.flatMap { StoreAdvice($0, file: path ?? "") }
        case .keyring:
            #if canImport(CGIO)
            let facts = KeyringFacts(responds: problem?.code != .timedOut)
            kept = [facts.program?.name, facts.collection.map { "keyring \"\($0)\"" }, facts.address]
            advice = problem.flatMap { StoreAdvice($0, program: facts.program) }
            if facts.isInClear {
                warnings.append(
                    "The keyring has no password: anyone who can read your files can read the session. Set a password."
                )
            }
            if facts.isTransferEncrypted == false {
                warnings.append(
                    "The keyring does not encrypt: your programs that watch the session bus can read the session."
                )
            }
            #endif
        }
        let shown = kept.compactMap { $0.flatMap { Terminal.shown($0) } }.joined(separator: ", ")
        guard let problem else {
            return Finding(
                subject: name,
                sentence: "Can be used: \(shown.isEmpty ? "in memory" : shown).",
                advice: warnings.isEmpty ? nil : warnings.joined(separator: " ")
            )
        }
        return Finding(
            subject: name,
            sentence: shown.isEmpty ? problem.description : "\(problem.description) (\(shown))",
            advice: advice.flatMap { Terminal.shown($0.sentence) },
            command: advice?.command.flatMap { Terminal.shown($0) },
            status: Failure(problem)?.status ?? .storeUnavailable
        )
    }

    /// Returns a finding about sessions that were signed out of while their store could not be used.
    private func remembered(_ store: any SecureStore) -> [Finding] {
        guard let pending = try? (store as? RecordedStore)?.pending, !pending.isEmpty else { return [] }
        let places = pending.sorted().joined(separator: ", ")
        return [
            Finding(
                subject: "Removal",
                sentence:
                    "A signed-out session is still stored (\(places)). The next command that can use the store removes it."
            )
        ]
    }
}
