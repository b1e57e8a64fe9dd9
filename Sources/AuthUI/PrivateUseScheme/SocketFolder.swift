#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The folder of the sockets of an app's processes.
struct SocketFolder: Sendable, Hashable {
    /// The end of the name of a socket that accepts connections.
    static let nameEnding = ".socket"
    /// The end of the name of a socket that may not listen yet.
    static let newNameEnding = ".new"
    /// The time in seconds in which a socket listens after its creation.
    private static let startTime = 60

    let path: String

    /// Returns the names of the sockets that accept connections, or whose process was killed.
    func names() -> [String] { names(endingWith: Self.nameEnding) }

    /// Connects to a socket, and removes one whose process was killed.
    ///
    /// - Parameter name: The socket's name.
    /// - Returns: The connection; nil if the socket refuses it.
    func connection(to name: String) -> LocalSocket? {
        do throws(LocalSocket.SocketError) {
            return try LocalSocket(connectedTo: name, in: path)
        } catch {
            if error.code == ECONNREFUSED { unsafe unlink("\(path)/\(name)") }
            return nil
        }
    }

    /// Removes the sockets that killed processes have left.
    func removeAbandoned() {
        // A process that starts now has bound its socket, which refuses connections until it listens.
        let abandoned = names(endingWith: Self.newNameEnding).filter(isOld)
        for name in names() + abandoned { _ = connection(to: name) }
    }

    /// Returns whether a socket was created so long ago that its process must listen by now.
    private func isOld(_ name: String) -> Bool {
        var status = stat()
        var now = timespec()
        guard unsafe lstat("\(path)/\(name)", &status) == 0, unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else {
            return false
        }
        return now.tv_sec - status.st_mtim.tv_sec > Self.startTime
    }

    private func names(endingWith ending: String) -> [String] {
        guard let entries = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(entries) }
        var names: [String] = []
        while let entry = unsafe readdir(entries) {
            // Safe: the name ends with a NUL within the entry, and the entry is valid until the next `readdir`.
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(ending) { names.append(name) }
        }
        return names
    }
}
#endif
