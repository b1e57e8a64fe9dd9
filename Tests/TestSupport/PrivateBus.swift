// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
public import Foundation

/// A session bus for one test.
///
/// It starts no services and ends with the test process, even if that crashes.
public final class PrivateBus: Sendable {
    private let process: RunningProcess
    /// The bus address, in the form of `DBUS_SESSION_BUS_ADDRESS`.
    public let address: String

    /// Starts a bus.
    ///
    /// - Parameters:
    ///   - folder: The folder for the socket and the configuration.
    ///   - user: The user who runs the bus, if not this one. Only root can choose.
    /// - Throws: ``TestSupportError``, or the system's error.
    public init(in folder: URL, as user: uid_t? = nil) async throws {
        let configuration = folder.appendingPathComponent("bus.conf")
        try Data(Self.configuration(listeningIn: folder, isForeign: user != nil).utf8).write(to: configuration)
        // The shell kills the bus when its standard input closes, which happens when the test process is gone.
        // It sends SIGKILL, because a process inherits the blocked signals of the thread that starts it.
        let bus = #"dbus-daemon --config-file="$0" --nofork --print-address 2>/dev/null"#
        let foreign = user.map { "setpriv --reuid=\($0) --regid=\($0) --clear-groups " } ?? ""
        let script = "\(foreign)\(bus) & cat >/dev/null; kill -9 $!"
        var process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script, configuration.path]
        let (input, output) = (Pipe.make(), Pipe.make())
        process.standardInput = .pipe(input)
        process.standardOutput = .pipe(output)
        self.process = try RunningProcess(
            process,
            input: input.fileHandleForWriting,
            output: output.fileHandleForReading
        )
        address = try await self.process.read(until: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Calls a method on the bus.
    ///
    /// - Parameters:
    ///   - method: The interface and the method, joined by a dot.
    ///   - destination: The bus name of the service.
    ///   - path: The object path.
    ///   - arguments: The arguments in the syntax of `dbus-send`.
    /// - Returns: The reply as `dbus-send` prints it.
    /// - Throws: ``TestSupportError`` with the error output of `dbus-send`.
    public func call(
        _ method: String,
        of destination: String,
        at path: String,
        _ arguments: [String] = []
    ) async throws -> String {
        let command = try Command(
            "dbus-send",
            ["--bus=\(address)", "--print-reply", "--dest=\(destination)", path, method] + arguments
        )
        let output = try await command.run()
        guard output.exitCode == 0 else { throw TestSupportError(output.errorText) }
        return output.text
    }

    /// Returns whether a name has an owner.
    ///
    /// - Parameter name: A well-known name.
    /// - Returns: True if a connection owns the name.
    /// - Throws: ``TestSupportError`` if the call fails.
    public func hasOwner(of name: String) async throws -> Bool {
        let bus = "org.freedesktop.DBus"
        return try await call("\(bus).NameHasOwner", of: bus, at: "/", ["string:\(name)"]).contains("boolean true")
    }

    /// Starts `dbus-monitor`, which prints all messages on the bus.
    ///
    /// - Returns: The monitor process, once it receives all messages.
    /// - Throws: ``TestSupportError``, or the system's error.
    public func monitor() async throws -> RunningProcess {
        guard let executable = Executable.find("dbus-monitor") else {
            throw TestSupportError("dbus-monitor is not installed")
        }
        var process = ChildProcess()
        process.executableURL = executable
        process.arguments = ["--address", address]
        let output = Pipe.make()
        process.standardOutput = .pipe(output)
        let monitor = try RunningProcess(process, output: output.fileHandleForReading)
        // The bus signals that the connection lost its own name when it becomes a monitor.
        _ = try await monitor.read(until: "NameLost")
        return monitor
    }

    /// Ends the bus.
    public func stop() async {
        await process.end()
    }

    /// Returns the configuration of a bus, which admits other users only if another user runs it.
    private static func configuration(listeningIn folder: URL, isForeign: Bool) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:dir=\(folder.path)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
            \(isForeign ? "<allow user=\"*\"/>" : "")
          </policy>
        </busconfig>
        """
    }
}
#endif
