// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A command that starts once the session's work is settled, and as which the tool then ends.
///
/// It is a child, and not the tool itself after an `execve`, so that a signal that ends it is an exit code for every
/// parent. It stays in the tool's process group, so that the terminal and job control treat both as one.
struct PreparedCommand: Sendable {
    /// The command and its arguments.
    let words: [String]
    /// The name of the variable for the token.
    let variable: String
    let token: AccessToken
    let descriptors: InheritedDescriptors

    private static let prepared = Mutex<PreparedCommand?>(nil)

    /// The command that the tool runs at its end; nil for every other command than `exec`.
    static var next: PreparedCommand? {
        get { prepared.withLock { $0 } }
        set { prepared.withLock { $0 = newValue } }
    }

    /// Runs the command to its end.
    ///
    /// Blocks this thread.
    ///
    /// - Returns: The exit status of the command; 128 and the number of the signal that ended it; 127 if it was not
    ///   found; 126 if it can't be executed.
    func run() -> ExitStatus {
        descriptors.closeOthersInCommands()
        CommandEnvironment.eraseSecrets()
        if let number = ForwardedSignals.received { return ExitStatus(code: 128 + number) }
        do {
            let process = try start()
            ForwardedSignals.forward(to: process)
            return Self.end(of: process)
        } catch {
            let name = Terminal.shown(words.first ?? "") ?? "without a name"
            let isMissing = error.code == ENOENT
            Terminal.note(
                isMissing
                    ? "The command \(name) was not found.\nCheck its name and PATH."
                    : "The command \(name) can't be executed: \(unsafe String(cString: strerror(error.code))).\n"
                        + "Check its permissions and format."
            )
            return ExitStatus(code: isMissing ? 127 : 126)
        }
    }

    /// The system's reason that a program did not start.
    private struct StartError: Error {
        let code: Int32
    }

    /// Starts the command, which is looked up as `execvp` does.
    private func start() throws(StartError) -> pid_t {
        var failure: StartError?
        for path in paths {
            do throws(StartError) {
                return try start(path, words)
            } catch {
                if error.code == ENOEXEC {
                    // A script without a first line that names its interpreter.
                    return try start("/bin/sh", ["sh", path] + words.dropFirst())
                }
                if [ENOENT, ENOTDIR].contains(error.code), !Self.exists(path) { continue }
                // If the interpreter is missing, the command itself was found (126).
                failure = failure ?? (error.code == ENOENT ? StartError(code: ENOEXEC) : error)
                guard [ENOENT, EACCES].contains(error.code) else { break }
            }
        }
        throw failure ?? StartError(code: ENOENT)
    }

    /// The paths at which the command may be; an empty folder in `PATH` is the current one.
    private var paths: [String] {
        guard let name = words.first, !name.isEmpty else { return [] }
        guard !name.contains("/") else { return [name] }
        let folders = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/bin:/usr/bin"
        return folders.split(separator: ":", omittingEmptySubsequences: false).map { folder in
            "\(folder.isEmpty ? "." : folder)/\(name)"
        }
    }

    private func start(_ path: String, _ words: [String]) throws(StartError) -> pid_t {
        var attributes = ForwardedSignals.attributes()
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var process = pid_t()
        let code = unsafe CommandEnvironment.with(variable, token.unredacted) { pairs in
            unsafe posix_spawn(&process, path, nil, &attributes, &arguments, pairs)
        }
        guard code == 0 else { throw StartError(code: code) }
        return process
    }

    private static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    private static func end(of process: pid_t) -> ExitStatus {
        var information = unsafe siginfo_t()
        // Its process ID stays its own until it is waited for below.
        while unsafe waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0 {
            guard errno == EINTR else { return .failed }
        }
        ForwardedSignals.stopForwarding()
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return .failed }
        }
        let signal = status & 0x7F
        return ExitStatus(code: signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
    }
}
