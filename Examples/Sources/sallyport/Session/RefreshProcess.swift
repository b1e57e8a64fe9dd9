// SPDX-License-Identifier: Apache-2.0

import AuthSession

#if canImport(Glibc)
import APIClient
import ArgumentParser
import Dispatch
import FoundationEssentials
import Glibc
import SecureStore
import Synchronization

/// The process of its own in which a command has a rotating refresh token exchanged.
///
/// It is this program again, in a session of its own, so that Ctrl-C, a hang-up and a kill of the command don't reach it.
/// It opens the same session, and locks, journals, sends and writes. The command waits for it and reads the new tokens
/// from the store. The secrets that it needs come through a pipe, never in arguments or the environment.
enum RefreshProcess {
    private static let argument = "refresh-process"
    /// The line that the process writes once it has opened the session: before it, nothing was sent.
    private static let opened = "opened"
    private static let waiting = Atomic(0)

    /// Whether the command waits for the process, and so may end without loss.
    static var isWaitedFor: Bool { waiting.load(ordering: .relaxed) > 0 }
    /// Whether this process is the one for a refresh.
    static var isThis: Bool { CommandLine.arguments.dropFirst().elementsEqual([argument]) }

    /// The first line on the process's standard input; the bytes after it are the passphrase of the encrypted file.
    private struct Message: Codable {
        let options: [String]
        let refresh: DelegatedRefresh
    }

    /// The result, a line of what the process writes; the other lines are notes.
    private struct Report: Codable {
        var isUnsaved = false
        /// The code of the `AuthSessionError`; nil if there is none.
        var code: String?
        var serverCode: String?
        var serverMessage: String?
        /// The pause that the server asked for, in seconds.
        var retryAfter: Double?
        var status: Int32 = 0
        var (message, advice) = ("", "")
    }

    // MARK: The command

    /// Has the process carry out a refresh, and waits for it.
    ///
    /// - Parameters:
    ///   - options: The words by which a command opens the session.
    ///   - httpTimeout: The time limit of a request, in seconds.
    /// - Returns: False if the process has sent nothing.
    /// - Throws: `AuthSessionError`, with the ``Failure`` that underlies it.
    static func carryOut(
        _ refresh: DelegatedRefresh,
        _ options: [String],
        httpTimeout: Int
    ) async throws(AuthSessionError) -> Bool {
        guard let (process, output) = start(Message(options: options, refresh: refresh)) else { return false }
        waiting.add(1, ordering: .relaxed)
        defer { waiting.subtract(1, ordering: .relaxed) }
        // The process's own time limit can't end it while it is stopped. As that limit, this one stands still while the
        // machine sleeps, or it would end the process in the middle of its exchange.
        let limit = Task {
            try await Task.sleep(for: .seconds(timeLimit(httpTimeout) + 10), clock: .suspending)
            kill(process, SIGKILL)
        }
        let lines = await withCheckedContinuation { continuation in
            // Not on a thread of the concurrency runtime, which the wait would block.
            DispatchQueue.global().async {
                let text = (try? StandardInput.readAll(from: output)) ?? []
                close(output)
                limit.cancel()
                continuation.resume(returning: text.split(separator: UInt8(ascii: "\n")))
                // The process may still try to save the tokens.
                while waitpid(process, nil, 0) < 0, errno == EINTR {}
            }
        }
        var (report, isOpened) = (Report?.none, false)
        for line in lines {
            let text = String(decoding: line, as: UTF8.self)
            if let found = try? JSONDecoder().decode(Report.self, from: Data(line)) {
                report = found
            } else if text == opened {
                isOpened = true
            } else {
                Terminal.note(text)
            }
        }
        guard isOpened else { return false }
        guard let report else { throw AuthSessionError(.refreshOutcomeUnknown) }
        guard let code = report.code.map({ AuthSessionError.Code(rawValue: $0) ?? .refreshFailed }) else { return true }
        let failure = Failure(ExitStatus(code: report.status), report.message, report.advice)
        if report.isUnsaved { OpenSessions.unsaved.withLock { $0 = failure } }
        throw AuthSessionError(
            code,
            serverCode: report.serverCode.map { ServerErrorCode(rawValue: $0) },
            serverMessage: report.serverMessage,
            retryAfter: report.retryAfter.map { .seconds($0) },
            underlying: failure
        )
    }

    /// Starts the process, with its message in the pipe; returns nil if that is not possible.
    private static func start(_ message: Message) -> (process: pid_t, output: Int32)? {
        guard let line = try? JSONEncoder().encode(message), let input = makePipe() else { return nil }
        defer { close(input.reading) }
        var bytes = line + [UInt8(ascii: "\n")] + (FileStoreSecret.last.withLock { $0 }?.unredacted ?? [])
        defer { bytes.resetBytes(in: bytes.startIndex..<bytes.endIndex) }
        // A pipe holds that much without a reader; that of a user with many pipes may hold less.
        _ = fcntl(input.writing, F_SETFL, O_NONBLOCK)
        let isShort = bytes.count <= 60_000
        let written = unsafe bytes.withUnsafeBytes {
            isShort ? unsafe write(input.writing, $0.baseAddress, $0.count) : 0
        }
        close(input.writing)
        guard written == bytes.count, let output = makePipe() else { return nil }
        defer { close(output.writing) }
        if let process = spawn(input: input.reading, output: output.writing) { return (process, output.reading) }
        close(output.reading)
        return nil
    }

    /// Starts this program, with pipes as its standard input and output, and no other descriptor; nil without `/proc`.
    private static func spawn(input: Int32, output: Int32) -> pid_t? {
        guard let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") else { return nil }
        var attributes = ForwardedSignals.attributes()
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // The last is glibc's `POSIX_SPAWN_SETSID`, which is not in the header that Swift reads.
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | 0x80
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (number, end) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, output)] {
            unsafe posix_spawn_file_actions_adddup2(&actions, end, number)
        }
        for number in open.compactMap({ Int32($0) }) where number > STDERR_FILENO {
            unsafe posix_spawn_file_actions_addclose(&actions, number)
        }
        let words: [String] = ["sallyport", argument]
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var process = pid_t()
        // The message names the profile.
        let code = unsafe CommandEnvironment.with("SALLYPORT_PROFILE", "") { pairs in
            unsafe posix_spawn(&process, "/proc/self/exe", &actions, &attributes, &arguments, pairs)
        }
        return code == 0 ? process : nil
    }

    /// Returns a pipe whose ends no other program inherits.
    private static func makePipe() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    // MARK: The process

    /// Carries out the refresh of the message on standard input, and writes the report.
    static func run() async -> Never {
        // A service manager and a terminal signal whole groups of processes. Only the time limit ends this one.
        for number in [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGTSTP] { signal(number, SIG_IGN) }
        // The kernel's name for it, `exe`, would tell the user nothing.
        try? Data("sallyport".utf8).write(to: URL(filePath: "/proc/self/comm"))
        guard let (refresh, options) = try? readMessage() else { ExitStatus.exit(.wrongArguments) }
        // The command may ignore the signal.
        signal(SIGALRM, SIG_DFL)
        alarm(UInt32(timeLimit(options.httpTimeout)))
        guard let session = try? await options.storedSessionWithoutPrompt() as? AuthSession else {
            ExitStatus.exit(.failed)
        }
        Terminal.result(opened)
        let report = await report(of: refresh, session)
        PendingSignOut.reportFinished()
        // After a note without an end of its line, too.
        if let line = try? JSONEncoder().encode(report) {
            Terminal.result("\n" + String(decoding: line, as: UTF8.self))
        }
        await save(session)
        ExitStatus.exit(.done)
    }

    /// The time limit of the process, in seconds: enough for the lock, a response, a repeated one, and the writes.
    private static func timeLimit(_ httpTimeout: Int) -> Int { 4 * httpTimeout + 300 }

    /// Tries to save new tokens that the store refuses, until the time limit.
    ///
    /// Meanwhile the command says so and ends. The session keeps the lock, so that no other process refreshes with the
    /// old tokens.
    private static func save(_ session: AuthSession) async {
        guard await session.persistenceError != nil else { return }
        // The command reads to the end of the pipe.
        let nowhere = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        for number in [STDOUT_FILENO, STDERR_FILENO] { dup2(nowhere, number) }
        while await session.persistenceError != nil {
            try? await Task.sleep(for: .seconds(1))
            try? await session.flush()
        }
    }

    private static func readMessage() throws -> (DelegatedRefresh, GlobalOptions) {
        var bytes = try StandardInput.readAll()
        // Safe: the buffer is written only within the call that lends it.
        defer { unsafe explicit_bzero(&bytes, bytes.count) }
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let message = try JSONDecoder().decode(Message.self, from: Data(bytes[..<end]))
        // A passphrase that is not text comes from a systemd credential, which this process reads, too.
        if let text = String(validating: bytes[end...].dropFirst(), as: UTF8.self), !text.isEmpty {
            let passphrase = try Passphrase(text)
            FileStoreSecret.last.withLock { $0 = passphrase }
        }
        return (message.refresh, try GlobalOptions.parse(message.options))
    }

    private static func report(of refresh: DelegatedRefresh, _ session: AuthSession) async -> Report {
        var report = Report()
        do {
            try await session.carryOut(refresh)
        } catch {
            let known = error as? AuthSessionError
            report.code = (known?.code ?? .refreshFailed).rawValue
            (report.serverCode, report.serverMessage) = (known?.serverCode?.rawValue, known?.serverMessage)
            report.retryAfter = known?.retryAfter.map { $0 / .seconds(1) }
            report.isUnsaved = await session.persistenceError != nil
            let failure = await OpenSessions.failure(error) ?? Failure(.failed, "The refresh failed.", "Try again.")
            (report.status, report.message, report.advice) = (failure.status.code, failure.message, failure.advice)
            if report.isUnsaved {
                report.advice =
                    "Unlock or repair the store: for some minutes, a process in the background still tries to save them."
            }
        }
        return report
    }
}
#else
/// On a system without `/proc`, the command refreshes itself.
enum RefreshProcess {
    static let (isThis, isWaitedFor) = (false, false)

    static func carryOut(
        _: DelegatedRefresh,
        _: [String],
        httpTimeout: Int
    ) async throws(AuthSessionError) -> Bool { false }

    static func run() async -> Never { ExitStatus.exit(.wrongArguments) }
}
#endif
