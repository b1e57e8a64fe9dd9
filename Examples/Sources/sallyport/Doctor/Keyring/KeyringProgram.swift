// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SecureStore

/// The program that runs the keyring.
struct KeyringProgram: Sendable {
    /// The file's name, limited to letters, digits, `.`, `-` and `_`, because a terminal shows it.
    let name: String
    let process: UInt32

    /// Looks a process up; nil if it can't be seen or its name must not be shown.
    init?(process: UInt32) {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe"),
            // The kernel appends ` (deleted)` if the file was replaced, for example by an update.
            let name = path.split(separator: "/").last?.split(separator: " ").first,
            // The rules of a store's name apply, and the name must not look like an option.
            !name.hasPrefix("-"), let checked = try? StoreKey(String(name))
        else { return nil }
        self.name = checked.name
        self.process = process
    }
}
