/// The process that holds a lock, as far as the system says.
package struct LockHolder: Sendable, Hashable, CustomStringConvertible {
    /// The process's number, as this process sees it.
    package let process: Int32
    /// The name of its program, at most 15 printable characters.
    package let command: String

    /// Makes a holder.
    ///
    /// - Parameters:
    ///   - process: The process's number.
    ///   - command: The name of its program. From outside: a process may call itself anything.
    package init(process: Int32, command: String) {
        self.process = process
        let shown = command.utf8.filter { (0x20...0x7E).contains($0) }.prefix(15)
        self.command = shown.isEmpty ? "unnamed" : String(decoding: shown, as: UTF8.self)
    }

    /// The process as a message names it: `process 4711 (sallyport)`.
    package var description: String { "process \(process) (\(command))" }
}
