#if canImport(Glibc)
internal import Dispatch
public import Foundation
internal import Glibc
internal import Synchronization

/// A process that a test started: it can be waited for, read from, and sent signals.
public final class RunningProcess: Sendable {
    private struct State {
        var exitCode: Int32?
        var tookTooLong = false
        var waiters: [CheckedContinuation<Int32, Never>] = []
    }

    private final class Exit: Sendable {
        let state = Mutex(State())
    }

    private let exit = Exit()
    private let input: FileHandle?
    private let output: FileHandle?
    /// The process's number.
    public let identifier: Int32

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - process: What to run, not yet running.
    ///   - input: The open end of its standard input, where it ends by itself once that is closed.
    ///   - output: The open end of its standard output, for ``read(until:timeout:)``.
    /// - Throws: What the system says where it can't be started.
    public init(_ process: Process, input: FileHandle? = nil, output: FileHandle? = nil) throws {
        self.input = input
        self.output = output
        process.terminationHandler = { [exit] process in
            let status = process.terminationStatus
            let code = process.terminationReason == .exit ? status : 128 + status
            let waiters = exit.state.withLock { state in
                state.exitCode = code
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume(returning: code) }
        }
        try process.start()
        identifier = process.processIdentifier
    }

    /// Sends a signal.
    ///
    /// - Parameter signal: `SIGSTOP`, say. Nothing happens where the process has ended.
    public func send(_ signal: Int32) {
        exit.state.withLock { state in
            if state.exitCode == nil { kill(identifier, signal) }
        }
    }

    /// Ends the process and waits for that.
    public func end() async {
        hangUpOrKill()
        _ = await waitForExit()
    }

    /// Waits for the process to end by itself.
    ///
    /// - Parameter timeout: After which it is ended.
    /// - Returns: Its exit code, or 128 and the number of the signal that ended it; nil where it took too long.
    public func waitUntilExit(timeout: Duration) async -> Int32? {
        guardTime(timeout)
        let code = await waitForExit()
        return exit.state.withLock { $0.tookTooLong } ? nil : code
    }

    /// Reads standard output up to some text.
    ///
    /// - Parameters:
    ///   - text: What must come.
    ///   - timeout: After which the process is ended.
    /// - Returns: All that came, with the text and perhaps more.
    /// - Throws: ``TestSupportError`` where the output ended before.
    public func read(until text: String, timeout: Duration = .seconds(60)) async throws -> String {
        guard let output else { throw TestSupportError("no output to read") }
        let timer = guardTime(timeout)
        defer { timer.cancel() }
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                var read = Data()
                while read.range(of: Data(text.utf8)) == nil {
                    let more = output.availableData
                    guard !more.isEmpty else {
                        let seen = String(decoding: read, as: UTF8.self)
                        return continuation.resume(throwing: TestSupportError("no \"\(text)\" in \"\(seen)\""))
                    }
                    read.append(more)
                }
                continuation.resume(returning: String(decoding: read, as: UTF8.self))
            }
        }
    }

    /// What is left of the standard output of a process that has ended.
    ///
    /// - Returns: The text that nobody has read yet.
    public func rest() -> String {
        String(decoding: (try? output?.readToEnd()) ?? Data(), as: UTF8.self)
    }

    @discardableResult
    private func guardTime(_ timeout: Duration) -> DispatchWorkItem {
        let item = DispatchWorkItem { [weak self] in
            guard let self else { return }
            exit.state.withLock { $0.tookTooLong = $0.exitCode == nil }
            hangUpOrKill()
        }
        let milliseconds = Int(timeout / .milliseconds(1))
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: item)
        return item
    }

    private func hangUpOrKill() {
        if let input {
            try? input.close()
        } else {
            send(SIGKILL)
        }
    }

    private func waitForExit() async -> Int32 {
        await withCheckedContinuation { continuation in
            let code = exit.state.withLock { state in
                if state.exitCode == nil { state.waiters.append(continuation) }
                return state.exitCode
            }
            if let code { continuation.resume(returning: code) }
        }
    }
}
#endif
