#if EncryptedFile
extension EncryptedFileStore {
    /// Opens the file and every item in it, and says what is wrong and what mends that.
    ///
    /// - Returns: What was found; its place is the file's path.
    public func diagnose() async -> StoreDiagnosis {
        var diagnosis = StoreDiagnosis(protection: protection)
        do {
            diagnosis.place = try await perform { file, _ in try file.path() }
            try await perform { file, _ in
                guard let items = try file.items() else { return }
                for key in items.names { _ = try items.item(forKey: key) }
            }
            diagnosis.isLocked = false
        } catch let error as SecureStoreError {
            diagnosis.problem = error
            advise(error, &diagnosis)
        } catch {
            // Cancelled: nothing was found out.
            diagnosis.problem = SecureStoreError(.failed, detail: "cancelled")
        }
        return diagnosis
    }

    private func advise(_ problem: SecureStoreError, _ diagnosis: inout StoreDiagnosis) {
        let path = diagnosis.place ?? ""
        let folder = path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        switch problem.code {
        case .wrongPassphrase:
            diagnosis.advice =
                "Give the passphrase that the file was made with, or last changed to. Is it lost? Remove the file, sign out."
        case .damaged where problem.detail == "item":
            diagnosis.advice = "One item was damaged; the others are whole. Sign in again to write it anew."
        case .damaged, .truncated:
            diagnosis.advice = "Put the file aside, or an older copy in its place, and sign in again."
            diagnosis.command = "mv -- \(quoted(path)) \(quoted(path + ".damaged"))"
        case .newerFormat:
            diagnosis.advice = "Update this program: a newer version of it wrote the file."
        case .denied where problem.detail == "a folder open to others":
            diagnosis.advice = "Let nobody but yourself into the folder."
            diagnosis.command = "chmod 700 -- \(quoted(folder))"
        case .denied:
            diagnosis.advice = "The file and its folder must be this user's own, and no links."
            diagnosis.command = "ls -ld -- \(quoted(folder)) \(quoted(path))"
        case .full:
            diagnosis.advice = "Make room on the disk."
            diagnosis.command = "df -h -- \(quoted(folder))"
        case .timedOut, .busy:
            diagnosis.advice = "Try again, or give the store a longer deadline on a slow machine."
        default:
            break
        }
    }

    /// A word for the shell, whatever is in it.
    private func quoted(_ path: String) -> String {
        "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
#endif
