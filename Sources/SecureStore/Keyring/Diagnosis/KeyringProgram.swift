#if Keyring && canImport(CSecretService)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The program that is the keyring.
struct KeyringProgram: Sendable {
    /// The file's name: letters, digits, `.`, `-` and `_`, for it is shown, and by a terminal.
    let name: String
    let process: UInt32

    /// Looks at a process; nil where it can't be seen, or its name is none to be shown.
    init?(process: UInt32) {
        let name = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { buffer -> String? in
            guard let room = buffer.baseAddress else { return nil }
            let count = unsafe readlink("/proc/\(process)/exe", room, buffer.count - 1)
            guard count > 0 else { return nil }
            let program = unsafe String(decoding: UnsafeRawBufferPointer(start: room, count: count), as: UTF8.self)
            // What the kernel adds where the file has been replaced, by an update say.
            return program.split(separator: "/").last?.split(separator: " ").first.map { String($0) }
        }
        // A name by the rules of a store's, and no option.
        guard let name, !name.hasPrefix("-"), let checked = try? StoreName.checked(name) else { return nil }
        self.name = checked
        self.process = process
    }
}
#endif
