// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Foundation
internal import Glibc

/// A network of a test's own: a network namespace of Linux with nothing but a loopback interface, which the test can
/// cut.
///
/// Programs in it share the file system with the rest of the machine, so that they reach a session bus at a path.
/// [network_namespaces(7)](https://man7.org/linux/man-pages/man7/network_namespaces.7.html).
public final class NetworkNamespace: Sendable {
    /// The privileges to create and to enter a namespace: root's own, or those of a user namespace.
    private static let creation =
        geteuid() == 0 ? ["--net"] : ["--user", "--map-current-user", "--keep-caps", "--net"]
    /// A shell that runs each line of its input, reports each, and ends with its input.
    private static let shell = """
        PATH=$PATH:/usr/sbin:/sbin; echo done
        while read -r line; do if eval "$line" >/dev/null 2>&1; then echo done; else echo "failed: $line"; exit; fi; done
        """

    private let holder: RunningProcess
    private let lines: FileHandle

    /// Whether this machine has the programs and lets this user create a namespace.
    public static let isAvailable: Bool = {
        guard let unshare = Executable.find("unshare"), Executable.find("nsenter") != nil else { return false }
        var check = ChildProcess()
        check.executableURL = unshare
        check.arguments = creation + ["sh", "-c", "PATH=$PATH:/usr/sbin:/sbin; ip link set lo up"]
        check.standardError = .null
        guard let number = try? check.start() else { return false }
        return ChildProcess.waitForExit(of: number) == 0
    }()

    /// Runs a test with a network that works, then removes it.
    ///
    /// - Parameter body: The test.
    /// - Throws: Any error of the test; ``TestSupportError``.
    public static func with(_ body: (NetworkNamespace) async throws -> Void) async throws {
        let network = try NetworkNamespace()
        do {
            _ = try await network.holder.read(until: "done\n")
            try await network.restore()
            try await body(network)
        } catch {
            await network.holder.end()
            throw error
        }
        await network.holder.end()
    }

    private init() throws {
        var process = ChildProcess()
        process.executableURL = Executable.find("unshare")
        process.arguments = Self.creation + ["sh", "-c", Self.shell]
        let (input, output) = (Pipe.make(), Pipe.make())
        process.standardInput = .pipe(input)
        process.standardOutput = .pipe(output)
        lines = input.fileHandleForWriting
        holder = try RunningProcess(process, input: lines, output: output.fileHandleForReading)
    }

    /// The words of a shell before a program that make it run in this network.
    public var entrance: String {
        let files = "/proc/\(holder.identifier)/ns"
        let user = geteuid() == 0 ? "" : "--user=\(files)/user --preserve-credentials "
        return "nsenter \(user)--net=\(files)/net --"
    }

    /// Takes the network away: the kernel refuses each connection at once, because it has no route.
    public func cut() async throws {
        try await swallow()
        try await run("ip address flush dev lo")
    }

    /// Makes the network swallow each packet, while the kernel still has a route.
    public func swallow() async throws {
        try await run("ip link set lo down")
    }

    /// Makes the network work again.
    public func restore() async throws {
        try await run("ip address replace 127.0.0.1/8 dev lo && ip link set lo up")
    }

    private func run(_ line: String) async throws {
        try lines.write(contentsOf: Data((line + "\n").utf8))
        let report = try await holder.read(until: "\n")
        guard report == "done\n" else { throw TestSupportError(report) }
    }
}
#endif
