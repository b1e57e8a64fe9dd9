#if canImport(Glibc)
public import Foundation

/// The proxy that Flatpak puts between a program and the session bus.
public final class DBusProxy: Sendable {
    private let process: RunningProcess
    /// What the program in the sandbox takes for its session bus.
    public let address: String

    /// Starts it.
    ///
    /// - Parameters:
    ///   - bus: The real bus.
    ///   - folder: Where its socket goes.
    ///   - names: The names that the program may talk to.
    /// - Throws: ``TestSupportError``; what the system says.
    public init(_ bus: PrivateBus, in folder: URL, talkingTo names: [String]) async throws {
        guard let executable = Executable.find("xdg-dbus-proxy") else {
            throw TestSupportError("xdg-dbus-proxy is not installed")
        }
        let socket = folder.appendingPathComponent("proxy-\(names.count)")
        let process = Process()
        process.executableURL = executable
        let output = Pipe.make()
        // It writes one byte to the descriptor once it listens, and ends when that is closed.
        process.arguments = ["--fd=1", bus.address, socket.path, "--filter"] + names.map { "--talk=\($0)" }
        process.standardOutput = output
        self.process = try RunningProcess(process, output: output.fileHandleForReading)
        _ = try await self.process.read(until: "x")
        address = "unix:path=\(socket.path)"
    }

    /// Ends it.
    public func stop() async {
        await process.end()
    }
}
#endif
