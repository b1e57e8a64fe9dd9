// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Dispatch
public import Foundation
internal import Glibc
internal import Synchronization

/// A process that a test started, can wait for, read from and send signals to.
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
    /// The description, kept so that its pipes stay open.
    private let process: ChildProcess
    private let input: FileHandle?
    private let output: FileHandle?
    /// The process ID.
    public let identifier: Int32

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - process: The program.
    ///   - input: The open end of its standard input, if the process exits when that is closed.
    ///   - output: The open end of its standard output, for ``read(until:timeout:)``.
    /// - Throws: ``TestSupportError`` if the process can't be started.
    public init(_ process: ChildProcess, input: FileHandle? = nil, output: FileHandle? = nil) throws {
        self.process = process
        self.input = input
        self.output = output
        let number = try process.start()
        identifier = number
        Thread.detachNewThread { [exit] in
            let code = ChildProcess.waitForExit(of: number)
            let waiters = exit.state.withLock { state in
                state.exitCode = code
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume(returning: code) }
        }
    }

    /// Sends a signal.
    ///
    /// Does nothing if the process has ended.
    ///
    /// - Parameter signal: The signal, for example `SIGSTOP`.
    public func send(_ signal: Int32) {
        exit.state.withLock { state in
            if state.exitCode == nil { kill(identifier, signal) }
        }
    }

    /// Whether the process has ended.
    public var hasEnded: Bool { exit.state.withLock { $0.exitCode != nil } }

    /// Ends the process and waits for its exit.
    public func end() async {
        hangUpOrKill()
        _ = await waitForExit()
    }

    /// Waits for the process to exit by itself.
    ///
    /// - Parameter timeout: The time after which the process is ended.
    /// - Returns: The exit code, or 128 plus the number of the signal that ended the process. Nil if the time ran out.
    public func waitUntilExit(timeout: Duration) async -> Int32? {
        guardTime(timeout)
        let code = await waitForExit()
        return exit.state.withLock { $0.tookTooLong } ? nil : code
    }

    /// Reads standard output until it contains a text.
    ///
    /// - Parameters:
    ///   - text: The expected text.
    ///   - timeout: The time after which the process is ended.
    /// - Returns: All output read so far, including the text and possibly more.
    /// - Throws: ``TestSupportError`` if the output ends before the text.
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

    /// Reads the rest of the standard output of a process that has ended.
    ///
    /// - Returns: The text that was not read yet.
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
