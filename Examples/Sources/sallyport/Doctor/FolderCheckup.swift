// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TerminalOutput

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The check that only this user can use the tool's folders.
enum FolderCheckup {
    /// Returns a finding for each folder with wrong rights, or one finding if all are right.
    static func findings() -> [Finding] {
        let problems = folders.compactMap { problem($0) }
        guard problems.isEmpty, !folders.isEmpty else { return problems }
        return [Finding(subject: "Folders", sentence: "Only you can use the tool's folders.")]
    }

    /// The folders, which may not exist: notes, records and locks, and the encrypted file.
    private static var folders: [String] {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let inHome = { (variable: String, path: String) -> String? in
            if let named = environment[variable], named.hasPrefix("/") { return named }
            return home.map { "\($0)/\(path)" }
        }
        let state = inHome("XDG_STATE_HOME", ".local/state")
        let data = inHome("XDG_DATA_HOME", ".local/share")
        return [
            state.map { "\($0)/sallyport/stores" }, state.map { "\($0)/sallyport/profiles" },
            home.map { "\($0)/.local/state/sallyport/locks" },
            data.map { "\($0)/sallyport" },
        ].compactMap(\.self)
    }

    private static func problem(_ folder: String) -> Finding? {
        var status = stat()
        // A folder that is missing is made when it is needed.
        guard unsafe lstat(folder, &status) == 0 else { return nil }
        let shown = Terminal.shown(folder) ?? "A folder"
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return finding("\(shown) is not a folder.", "Move it away.")
        }
        guard status.st_uid == geteuid() else {
            return finding("\(shown) belongs to another user.", "Move it away, or run the tool as that user.")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            let command = "chmod 700 \(ShellWord.quoted(shown))"
            return finding("Other users may use \(shown) (mode \(mode)).", "Close it to them.", command)
        }
        return nil
    }

    private static func finding(_ sentence: String, _ advice: String, _ command: String? = nil) -> Finding {
        Finding(
            subject: "Folders",
            sentence: sentence,
            advice: advice,
            command: command,
            status: .storeUnavailable
        )
    }
}
