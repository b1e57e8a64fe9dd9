// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The program that runs the keyring.
struct KeyringProgram: Sendable {
    /// The file's name, limited to letters, digits, `.`, `-` and `_`, because a terminal shows it.
    let name: String
    let process: UInt32

    /// Looks a process up; nil if it can't be seen or its name must not be shown.
    init?(process: UInt32) {
        let name = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { buffer -> String? in
            guard let room = buffer.baseAddress else { return nil }
            let count = unsafe readlink("/proc/\(process)/exe", room, buffer.count - 1)
            guard count > 0 else { return nil }
            let program = unsafe String(decoding: UnsafeRawBufferPointer(start: room, count: count), as: UTF8.self)
            // The kernel appends ` (deleted)` if the file was replaced, for example by an update.
            return program.split(separator: "/").last?.split(separator: " ").first.map { String($0) }
        }
        // The rules of a store's name apply, and the name must not look like an option.
        guard let name, !name.hasPrefix("-"), let checked = try? StoreName.checked(name) else { return nil }
        self.name = checked
        self.process = process
    }
}
#endif
