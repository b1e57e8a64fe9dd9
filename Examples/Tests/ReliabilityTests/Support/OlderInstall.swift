// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import ReferenceBackend
import SharedTestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An older version of an app, which keeps a pair of tokens as three items of the keyring.
struct OlderInstall: Sendable {
    /// A pair that the backend has issued.
    struct Pair: Decodable, Sendable {
        let accessToken: String
        let refreshToken: String
    }

    let stage: ReliabilityStage
    let session: ReliabilityStage.Session

    private static let accounts = ["accessToken", "refreshToken", "tokenExpiry", "userId"]

    /// Runs a test with an account at the backend, at which no process has signed in yet.
    static func run(
        grace: Int = ReliabilityStage.grace,
        _ test: (OlderInstall) async throws -> Void
    ) async throws {
        try await ReliabilityStage.run(sessions: [], grace: grace) { stage in
            let id = try await stage.backend.addAccount(
                email: "default@example.com",
                password: ReliabilityStage.password
            )
            try await test(OlderInstall(stage: stage, session: .init(name: "default", accountID: id)))
        }
    }

    /// Signs in as an older version did.
    func signIn() async throws -> Pair {
        let device = [
            "platform": "linux", "osVersion": "12", "model": "pc", "appVersion": "1.0",
            "installationID": "6F9619FF-8B86-D011-B42D-00C04FC964FF",
        ]
        let body: [String: Any] = [
            "email": session.email, "password": ReliabilityStage.password, "rememberMe": true, "deviceInfo": device,
        ]
        let (status, data) = try await post("/api/v1/auth/login", body)
        guard status == 200 else { throw ReliabilityError("the sign-in failed: \(status)") }
        return try JSONDecoder().decode(Pair.self, from: data)
    }

    /// Presents a refresh token to the backend, and returns the response's status.
    func refresh(_ pair: Pair) async throws -> Int {
        try await post("/api/v1/auth/refresh", ["refreshToken": pair.refreshToken]).0
    }

    private func post(_ path: String, _ body: [String: Any]) async throws -> (Int, Data) {
        guard let url = URL(string: "http://127.0.0.1:\(stage.backend.port)\(path)") else {
            throw ReliabilityError("no URL")
        }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONSerialization.data(withJSONObject: body)
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, data)
    }

    /// Writes the items as a program does that uses libsecret; nil leaves an item out.
    func write(_ pair: Pair, expiry: String?, withoutAccessToken: Bool = false) async throws {
        let values = [withoutAccessToken ? nil : pair.accessToken, pair.refreshToken, expiry, session.accountID]
        for (account, value) in zip(Self.accounts, values) {
            guard let value else { continue }
            let attributes = ["service", ReliabilityStage.service, "account", account]
            let stored = try await stage.keyring.secretTool(["store", "--label=x"] + attributes, input: value)
            guard stored.exitCode == 0 else { throw ReliabilityError("secret-tool failed: \(stored.errorText)") }
        }
    }

    /// The items of the older version that the keyring still holds.
    var left: [String] {
        get async throws {
            var left: [String] = []
            for account in Self.accounts {
                let attributes = ["service", ReliabilityStage.service, "account", account]
                let found = try await stage.keyring.secretTool(["lookup"] + attributes)
                if !found.text.isEmpty { left.append(account) }
            }
            return left
        }
    }

    /// Runs the new version until its time is up, or until an event at which it is killed.
    ///
    /// - Parameters:
    ///   - task: The worker's task.
    ///   - more: Its arguments.
    ///   - last: The event at which the process is killed; nil for none.
    /// - Returns: The events, and the last figures.
    /// - Throws: `ReliabilityError`; the system's error if the process can't be started.
    @discardableResult
    func run(
        _ task: String,
        _ more: [String] = [],
        killedAt last: WorkerLine.Event? = nil
    ) async throws -> (events: [WorkerLine.Event], figures: WorkerFigures?) {
        let (lines, inbox) = AsyncStream.makeStream(of: WorkerLine?.self)
        let worker = try Worker(
            stage.arguments(task, session, more),
            environment: stage.keyring.environment
        ) { inbox.yield($0) }
        var events: [WorkerLine.Event] = []
        var figures: WorkerFigures?
        for await line in lines {
            guard let line else { break }
            events.append(line.event)
            figures = line.figures ?? figures
            if line.event == last { await worker.process.end() }
        }
        let code = await worker.process.waitUntilExit(timeout: .seconds(60))
        guard code == 0 || last != nil else { throw ReliabilityError("the worker failed: \(code ?? -1)") }
        return (events, figures)
    }
}
