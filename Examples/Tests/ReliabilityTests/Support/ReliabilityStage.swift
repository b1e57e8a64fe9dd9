// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import Logging
import ReferenceBackend
import SharedTestSupport

/// A backend whose access tokens live for two seconds, one keyring, and signed-in sessions.
struct ReliabilityStage: Sendable {
    /// One session: an account of the backend, and an account of the keyring store.
    struct Session: Sendable {
        /// The store's account.
        let name: String
        /// The backend's account.
        let accountID: String
        var email: String { "\(name)@example.com" }
    }

    static let tokenLifetime = 2
    /// The server's grace window in seconds, the contract's reference value.
    static let grace = 10
    static let service = "com.example.fire"
    static let password = "correct horse battery staple"

    let backend: ReferenceBackend
    let refreshes: Collected<RefreshCall>
    let keyring: PrivateKeyring
    private(set) var sessions: [Session] = []

    var log: ServerLog { ServerLog(refreshes) }

    /// Runs a test on a stage, and always takes the stage down.
    ///
    /// - Parameters:
    ///   - names: The names of the sessions.
    ///   - grace: The server's grace window in seconds.
    ///   - test: The test.
    /// - Throws: The test's error; ``ReliabilityError``; the error of a backend or keyring that doesn't start.
    static func run(
        sessions names: [String],
        grace: Int = ReliabilityStage.grace,
        _ test: (ReliabilityStage) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let refreshes = Collected<RefreshCall>()
        var settings = BackendSettings(databasePath: folder.url.appending(path: "backend.sqlite").path())
        settings.accessTokenLifetime = .seconds(tokenLifetime)
        settings.refreshGrace = .seconds(grace)
        settings.passwordCost = .insecurelyCheap
        settings.logger = Logger(label: "backend") { _ in SwiftLogNoOpLogHandler() }
        settings.onRefresh = { refreshes.append($0) }
        let backend = try await ReferenceBackend.start(settings)
        do {
            try await PrivateKeyring.with { keyring in
                var stage = ReliabilityStage(backend: backend, refreshes: refreshes, keyring: keyring)
                for name in names {
                    let id = try await backend.addAccount(email: "\(name)@example.com", password: password)
                    stage.sessions.append(Session(name: name, accountID: id))
                }
                for session in stage.sessions { try await stage.signIn(session) }
                try await test(stage)
            }
        } catch {
            await backend.stop()
            throw error
        }
        await backend.stop()
    }

    /// Signs in, in a process of its own that then ends.
    func signIn(_ session: Session) async throws {
        let input = Pipe.make()
        try input.fileHandleForWriting.write(contentsOf: Data("\(Self.password)\n".utf8))
        try input.fileHandleForWriting.close()
        let arguments = self.arguments("sign-in", session, [session.email])
        let worker = try Worker(arguments, environment: keyring.environment, input: .pipe(input)) { _ in }
        let code = await worker.process.waitUntilExit(timeout: .seconds(60))
        guard code == 0 else { throw ReliabilityError("the sign-in failed: \(code ?? -1)") }
    }

    /// Starts a process that makes calls until its time is up.
    ///
    /// - Parameters:
    ///   - session: The session that the process uses.
    ///   - span: The duration of the calls.
    ///   - onLine: A closure that receives every line, and nil after the last one.
    /// - Returns: The process.
    /// - Throws: ``ReliabilityError``; the system's error if the process can't be started.
    func caller(
        _ session: Session,
        for span: Duration,
        onLine: @escaping @Sendable (WorkerLine?) -> Void
    ) throws -> Worker {
        let seconds = "\(Int(span / .seconds(1)))"
        let arguments = arguments("call", session, [seconds, "100"])
        return try Worker(arguments, environment: keyring.environment, onLine: onLine)
    }

    /// Returns the arguments of a worker.
    func arguments(_ task: String, _ session: Session, _ more: [String]) -> [String] {
        [task, Self.service, session.name, "http://127.0.0.1:\(backend.port)"] + more
    }
}
