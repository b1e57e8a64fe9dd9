// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
public import Foundation

/// The proxy that Flatpak puts between a program and the session bus.
public final class DBusProxy: Sendable {
    private let process: RunningProcess
    /// The address that the program in the sandbox uses as its session bus.
    public let address: String

    /// Starts the proxy.
    ///
    /// - Parameters:
    ///   - bus: The real bus.
    ///   - folder: The folder for the proxy's socket.
    ///   - names: The names that the program may talk to.
    /// - Throws: ``TestSupportError``, or the system's error.
    public init(_ bus: PrivateBus, in folder: URL, talkingTo names: [String]) async throws {
        guard let executable = Executable.find("xdg-dbus-proxy") else {
            throw TestSupportError("xdg-dbus-proxy is not installed")
        }
        let socket = folder.appendingPathComponent("proxy-\(names.count)")
        var process = ChildProcess()
        process.executableURL = executable
        let output = Pipe.make()
        // The proxy writes one byte to the descriptor once it listens, and exits when the descriptor is closed.
        process.arguments = ["--fd=1", bus.address, socket.path, "--filter"] + names.map { "--talk=\($0)" }
        process.standardOutput = .pipe(output)
        self.process = try RunningProcess(process, output: output.fileHandleForReading)
        _ = try await self.process.read(until: "x")
        address = "unix:path=\(socket.path)"
    }

    /// Ends the proxy.
    public func stop() async {
        await process.end()
    }
}
#endif
