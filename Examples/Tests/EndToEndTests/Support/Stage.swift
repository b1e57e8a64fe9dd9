// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import Logging
import ReferenceBackend
import SharedTestSupport

/// A backend, a keyring and the tool, all real and created for one test.
struct Stage: Sendable {
    let backend: ReferenceBackend
    let clock: TestClock
    let issued: Collected<IssuedToken>
    let log: Collected<LogLine>
    let folder: TemporaryFolder
    let keyring: PrivateKeyring
    var tool: Tool

    static let email = "ada@example.com"
    static let password = "correct horse battery staple"
    static let customerApp = "com.goumuve.app"
    static let driverApp = "com.goumuve.pro"

    /// One key for all stand-ins, since its creation takes a while.
    private static let standInKey = Result { try StandInKey(id: "test-key") }

    var url: String { "http://127.0.0.1:\(backend.port)" }
    var issuer: String { "http://127.0.0.1:\(backend.applePort ?? 0)" }

    /// Returns the tool on a bus that never responds; the bus exists until its socket is released.
    func onMuteBus() throws -> (tool: Tool, bus: UnixSocket) {
        let socket = keyring.home.appending(path: "mute")
        var tool = tool
        tool.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(socket.path())"
        return (tool, try UnixSocket.mute(at: socket))
    }

    /// Few stages at once: each starts a bus, a keyring and a backend, and some tests are about time limits.
    ///
    /// More than there are processors, since those tests only wait.
    private static let turnstile = Turnstile(places: 2 * ProcessInfo.processInfo.activeProcessorCount)

    /// Runs a test on a stage, and always takes the stage down.
    static func run(
        _ start: PrivateKeyring.Start = .unlocked,
        configure: (inout BackendSettings) -> Void = { _ in },
        _ test: (Stage) async throws -> Void
    ) async throws {
        try await turnstile.pass { try await runOwn(start, configure: configure, test) }
    }

    private static func runOwn(
        _ start: PrivateKeyring.Start,
        configure: (inout BackendSettings) -> Void,
        _ test: (Stage) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let (clock, issued, log) = (TestClock(), Collected<IssuedToken>(), Collected<LogLine>())
        var settings = BackendSettings(databasePath: folder.url.appending(path: "backend.sqlite").path())
        settings.now = { clock.now }
        settings.onIssue = { issued.append($0) }
        settings.logger = Logger(label: "backend") { _ in CollectingLogHandler(lines: log) }
        settings.passwordCost = .insecurelyCheap
        // Held for the whole test, in which a server may stop.
        let (port, applePort) = (try HeldPort(), try HeldPort())
        defer { withExtendedLifetime((port, applePort)) {} }
        settings.port = port.number
        settings.appleStandInPort = applePort.number
        settings.standInKey = try standInKey.get()
        configure(&settings)
        let backend = try await ReferenceBackend.start(settings)
        do {
            try await backend.addAccount(email: email, password: password, name: "Ada")
            try await PrivateKeyring.with(start) { keyring in
                try await test(
                    Stage(
                        backend: backend,
                        clock: clock,
                        issued: issued,
                        log: log,
                        folder: folder,
                        keyring: keyring,
                        tool: Tool(in: keyring.environment)
                    )
                )
            }
        } catch {
            await backend.stop()
            throw error
        }
        await backend.stop()
    }
}
