#if canImport(Glibc)
public import Foundation

/// A session bus of a test's own: it starts no service and ends with the test, even where that crashes.
public final class PrivateBus: Sendable {
    private let process: RunningProcess
    /// Where it listens, as `DBUS_SESSION_BUS_ADDRESS` says it.
    public let address: String

    /// Starts a bus.
    ///
    /// - Parameter folder: Where its socket and its configuration go.
    /// - Throws: ``TestSupportError``.
    public init(in folder: URL) async throws {
        let configuration = folder.appendingPathComponent("bus.conf")
        try Data(Self.configuration(listeningIn: folder).utf8).write(to: configuration)
        // The shell ends the bus when its standard input closes, as it does when the test process is gone.
        // By SIGKILL, because a process inherits the blocked signals of the thread that starts it.
        let bus = #"dbus-daemon --config-file="$0" --nofork --print-address 2>/dev/null"#
        let script = "\(bus) & cat >/dev/null; kill -9 $!"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script, configuration.path]
        let (input, output) = (Pipe.make(), Pipe.make())
        process.standardInput = input
        process.standardOutput = output
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
    ///   - method: The interface's and the method's name.
    ///   - destination: Whose method.
    ///   - path: Which object's.
    ///   - arguments: As `dbus-send` takes them.
    /// - Returns: The reply as `dbus-send` prints it.
    /// - Throws: ``TestSupportError`` with the error's name.
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

    /// Whether someone owns a name.
    ///
    /// - Parameter name: A well-known name.
    /// - Returns: Whether it is owned.
    /// - Throws: ``TestSupportError``.
    public func hasOwner(of name: String) async throws -> Bool {
        let bus = "org.freedesktop.DBus"
        return try await call("\(bus).NameHasOwner", of: bus, at: "/", ["string:\(name)"]).contains("boolean true")
    }

    /// Prints all that passes on the bus.
    ///
    /// - Returns: `dbus-monitor`, once it sees everything.
    /// - Throws: ``TestSupportError``.
    public func monitor() async throws -> RunningProcess {
        guard let executable = Executable.find("dbus-monitor") else {
            throw TestSupportError("dbus-monitor is not installed")
        }
        let process = Process()
        process.executableURL = executable
        process.arguments = ["--address", address]
        let output = Pipe.make()
        process.standardOutput = output
        let monitor = try RunningProcess(process, output: output.fileHandleForReading)
        // Becoming a monitor is announced as the loss of the connection's own name.
        _ = try await monitor.read(until: "NameLost")
        return monitor
    }

    /// Ends the bus.
    public func stop() async {
        await process.end()
    }

    private static func configuration(listeningIn folder: URL) -> String {
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
          </policy>
        </busconfig>
        """
    }
}
#endif
