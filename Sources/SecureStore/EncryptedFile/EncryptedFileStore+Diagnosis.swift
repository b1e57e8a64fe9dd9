// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
extension EncryptedFileStore {
    /// Opens the file and every item in it, and returns the problem, if any, and its remedy.
    ///
    /// - Returns: The diagnosis. Its location is the file's path.
    public func diagnose() async -> StoreDiagnosis {
        var diagnosis = StoreDiagnosis(protection: protection)
        do {
            diagnosis.location = try await perform { file, _ in try file.path() }
            try await perform { file, _ in
                guard let items = try file.items() else { return }
                for key in items.names { _ = try items.item(forKey: key) }
            }
            diagnosis.isLocked = false
        } catch let error as SecureStoreError {
            diagnosis.problem = error
            advise(error, &diagnosis)
        } catch {
            // The task was cancelled, so the state of the file is unknown.
            diagnosis.problem = SecureStoreError(.failed, detail: "cancelled")
        }
        return diagnosis
    }

    private func advise(_ problem: SecureStoreError, _ diagnosis: inout StoreDiagnosis) {
        let path = diagnosis.location ?? ""
        let folder = path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        switch problem.code {
        case .wrongPassphrase:
            diagnosis.advice =
                "Use the file's current passphrase. If it is lost, remove the file and sign out."
        case .damaged where problem.detail == "item":
            diagnosis.advice = "One item is damaged; the others are intact. Move the file away, and sign in again."
        case .damaged, .truncated:
            diagnosis.advice = "Move the file away, and sign in again."
            diagnosis.command = "mv -- \(quoted(path)) \(quoted(path + ".damaged"))"
        case .newerFormat:
            diagnosis.advice = "Update this program: a newer version of it wrote the file."
        case .denied where problem.detail == "a folder open to others":
            diagnosis.advice = "Make the folder accessible only to you."
            diagnosis.command = "chmod 700 -- \(quoted(folder))"
        case .denied:
            diagnosis.advice = "The file and its folder must belong to you and must not be links."
            diagnosis.command = "ls -ld -- \(quoted(folder)) \(quoted(path))"
        case .full:
            diagnosis.advice = "Free some disk space."
            diagnosis.command = "df -h -- \(quoted(folder))"
        case .timedOut, .busy:
            diagnosis.advice = "Try again. On a slow machine, set a longer deadline for the store."
        default:
            break
        }
    }

    /// Returns a path as one quoted word for a shell, whatever it contains.
    private func quoted(_ path: String) -> String {
        "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
#endif
