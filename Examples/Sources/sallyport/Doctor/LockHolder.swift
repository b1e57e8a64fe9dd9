// SPDX-License-Identifier: Apache-2.0

/// The process that holds a lock, as the system reports it.
package struct LockHolder: Sendable, Hashable, CustomStringConvertible {
    /// The process ID, as this process sees it.
    package let process: Int32
    /// The program's name, at most 15 printable ASCII characters.
    package let command: String

    /// Creates a holder.
    ///
    /// - Parameters:
    ///   - process: The process ID.
    ///   - command: The program's name. Not trusted: a process can choose any name.
    package init(process: Int32, command: String) {
        self.process = process
        let shown = command.utf8.filter { (0x20...0x7E).contains($0) }.prefix(15)
        self.command = shown.isEmpty ? "unnamed" : String(decoding: shown, as: UTF8.self)
    }

    /// The process in the form of an error message: `process 4711 (sallyport)`.
    package var description: String { "process \(process) (\(command))" }
}
