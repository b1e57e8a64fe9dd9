// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import SecureStore

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
    /// The time in which a socket listens after its creation.
    private static let startTime = Duration.seconds(60)

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
        let abandoned = names(endingWith: Self.newNameEnding).filter { name in
            (try? FolderEntries.isOlder("\(path)/\(name)", than: Self.startTime)) == true
        }
        for name in names() + abandoned { _ = connection(to: name) }
    }

    /// Returns the names with an ending; none if the folder can't be read.
    private func names(endingWith ending: String) -> [String] {
        let all = (try? FolderEntries.names(in: path)) ?? []
        return all.filter { $0.hasSuffix(ending) }
    }
}
#endif
