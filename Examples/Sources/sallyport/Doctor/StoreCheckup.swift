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
            let advice =
                (error as? SecureStoreError)?.code == .failed
                ? "Check that you can write to your home folder, or to XDG_STATE_HOME and XDG_DATA_HOME."
                : failure.advice
            return [Finding(subject: "Store", sentence: failure.message, advice: advice, status: failure.status)]
        }
        let diagnosis = await store.diagnose()
        var findings = [finding(name, diagnosis)] + remembered(store)
        if diagnosis.problem == nil, let leftover = await place.leftover() {
            let advice = "Delete them in the keyring's window, or leave them: the next sign-in reuses them."
            findings.append(Finding(subject: "Leftover", sentence: leftover, advice: advice))
        }
        // A store in memory is new with each command.
        if place.choice != .memory { findings.append(await LockCheckup(scope: place.scope).finding()) }
        if diagnosis.problem == nil { findings.append(await SessionCheckup(global: global, store: store).finding()) }
        return findings
    }

    private func finding(_ name: String, _ diagnosis: StoreDiagnosis) -> Finding {
        let kept = [diagnosis.provider, diagnosis.collection.map { "keyring \"\($0)\"" }, diagnosis.location]
            .compactMap { $0.flatMap { Terminal.shown($0) } }
            .joined(separator: ", ")
        guard let problem = diagnosis.problem else {
            let warnings = [
                diagnosis.protection == .unencryptedKeyring
                    ? "The keyring has no password: anyone who can read your files can read the session. Set a password."
                    : nil,
                diagnosis.isTransferEncrypted == false
                    ? "The keyring does not encrypt: your programs that watch the session bus can read the session."
                    : nil,
            ]
            return Finding(
                subject: name,
                sentence: "Can be used: \(kept.isEmpty ? "in memory" : kept).",
                advice: warnings.contains { $0 != nil } ? warnings.compactMap(\.self).joined(separator: " ") : nil
            )
        }
        return Finding(
            subject: name,
            sentence: kept.isEmpty ? problem.description : "\(problem.description) (\(kept))",
            advice: diagnosis.advice.flatMap { Terminal.shown($0) },
            command: diagnosis.command.flatMap { Terminal.shown($0) },
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
