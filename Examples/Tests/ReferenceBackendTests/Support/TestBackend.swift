// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import Logging
import ReferenceBackend
import SharedTestSupport
import Testing

/// A backend on a free port with a database of its own, a clock that the test advances, and the test's requests.
struct TestBackend: Sendable {
    let backend: ReferenceBackend
    let clock: TestClock
    let issued: Collected<IssuedToken>
    let databasePath: String

    static let email = "ada@example.com"
    static let password = "correct horse battery staple"
    static let customerApp = "com.goumuve.app"
    static let driverApp = "com.goumuve.pro"

    /// One key for all stand-ins, since its creation takes a while.
    static let standInKey = Result { try StandInKey(id: "test-key") }

    var url: String { "http://127.0.0.1:\(backend.port)" }

    /// Runs a test against a backend, and always stops it.
    static func run(
        databasePath: String? = nil,
        clock: TestClock = TestClock(),
        configure: (inout BackendSettings) throws -> Void = { _ in },
        _ test: (TestBackend) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = databasePath ?? folder.url.appending(path: "backend.sqlite").path()
        let issued = Collected<IssuedToken>()
        var settings = BackendSettings(databasePath: path)
        settings.now = { clock.now }
        settings.onIssue = { issued.append($0) }
        settings.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        settings.passwordCost = .insecurelyCheap
        settings.standInKey = try standInKey.get()
        try configure(&settings)
        let backend = try await ReferenceBackend.start(settings)
        let outcome: Result<Void, any Error>
        do {
            try await backend.addAccount(email: email, password: password, name: "Ada")
            try await test(TestBackend(backend: backend, clock: clock, issued: issued, databasePath: path))
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await backend.stop()
        try outcome.get()
    }

    /// Sends a POST request with a JSON object, or with a string as its raw body.
    func post(
        _ path: String,
        _ body: Any? = nil,
        bearer: String? = nil,
        headers: [String: String] = [:]
    ) async throws -> TestResponse {
        var headers = headers
        if let bearer { headers["Authorization"] = "Bearer \(bearer)" }
        if body != nil, headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
        let bytes = try body.map { body in
            if let raw = body as? String { return Data(raw.utf8) }
            return try JSONSerialization.data(withJSONObject: body)
        }
        return try await TestHTTP.post(url + path, headers: headers, body: bytes)
    }

    /// Sends a PUT request with a JSON object.
    func put(_ path: String, _ body: Any, bearer: String? = nil) async throws -> TestResponse {
        var headers = ["Content-Type": "application/json"]
        if let bearer { headers["Authorization"] = "Bearer \(bearer)" }
        return try await TestHTTP.put(url + path, headers: headers, body: JSONSerialization.data(withJSONObject: body))
    }

    func get(_ path: String, bearer: String? = nil, headers: [String: String] = [:]) async throws -> TestResponse {
        var headers = headers
        if let bearer { headers["Authorization"] = "Bearer \(bearer)" }
        return try await TestHTTP.get(url + path, headers: headers)
    }
}
