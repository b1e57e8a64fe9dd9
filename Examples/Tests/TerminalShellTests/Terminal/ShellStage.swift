// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import ReferenceBackend
import SharedTestSupport
import Synchronization
import UmuveBrands

@testable import TerminalShell

/// A backend with its stand-in for Apple, and a home folder, all real and created for one test, which starts apps on
/// it.
final class ShellStage: Sendable {
    /// The e-mail address of the user whom the stand-in for Apple signs in.
    static let email = "driver@example.com"
    /// That user's name, which the apps show.
    static let userName = "Dana Driver"
    private static let standInKey = Result { try StandInKey(id: "test-key") }

    private let settings: BackendSettings
    private let running: Mutex<ReferenceBackend>
    /// The ports of the backend and the stand-in, which stay theirs while both are stopped.
    private let ports: [HeldPort]
    /// The environment of the apps.
    let environment: [String: String]
    /// The folder of the whole stage, except for the keyring's files.
    let folder: TemporaryFolder
    /// The home folder of the apps.
    let home: URL
    /// The tokens that the backend has issued.
    let issued: Collected<IssuedToken>

    private init(_ keyring: PrivateKeyring?, _ required: [AccountRole: Set<ProfileMember>]) async throws {
        let (folder, issued) = (try TemporaryFolder(), Collected<IssuedToken>())
        let (port, applePort) = (try HeldPort(), try HeldPort())
        var settings = BackendSettings(databasePath: folder.url.appending(path: "backend.sqlite").path())
        settings.passwordCost = .insecurelyCheap
        settings.port = port.number
        settings.appleStandInPort = applePort.number
        settings.standInKey = try Self.standInKey.get()
        settings.requiredProfile = required
        settings.onIssue = { issued.append($0) }
        let backend = try await ReferenceBackend.start(settings)
        (self.folder, self.issued, self.settings, ports) = (folder, issued, settings, [port, applePort])
        running = Mutex(backend)
        home = try keyring?.home ?? folder.folder("home")
        environment = try keyring.map { Self.environment(of: $0) } ?? Self.environment(in: folder, home: home)
    }

    /// Runs a test on a stage, and always takes the stage down.
    ///
    /// - Parameters:
    ///   - keyring: The keyring of the apps, whose home folder they use; nil for none.
    ///   - required: The members that the backend requires of an account; none, so that no app asks for them.
    ///   - test: The test.
    /// - Throws: The test's error; an error if a program can't be started.
    static func run(
        with keyring: PrivateKeyring? = nil,
        requiring required: [AccountRole: Set<ProfileMember>] = [:],
        _ test: (ShellStage) async throws -> Void
    ) async throws {
        let stage = try await ShellStage(keyring, required)
        defer { stage.folder.remove() }
        do {
            try await test(stage)
        } catch {
            await stage.stop()
            throw error
        }
        await stage.stop()
    }

    /// Runs a test on a stage with a keyring of its own, unlocked and empty.
    static func runWithKeyring(
        requiring required: [AccountRole: Set<ProfileMember>] = [:],
        _ test: (ShellStage, PrivateKeyring) async throws -> Void
    ) async throws {
        try await PrivateKeyring.with { keyring in
            try await run(with: keyring, requiring: required) { try await test($0, keyring) }
        }
    }

    /// Runs a test with one app in a terminal, its session in memory.
    static func launch(
        _ brand: Brand = .customer,
        options: String = "",
        size: ScreenSize = ScreenSize(columns: 80, rows: 24),
        environment more: [String: String] = [:],
        _ test: (ShellStage, TerminalSession) async throws -> Void
    ) async throws {
        try await run { stage in
            try await stage.launch(brand, options: options, size: size, environment: more) { try await test(stage, $0) }
        }
    }

    /// Starts an app in a terminal of its own, and always stops both.
    ///
    /// - Parameters:
    ///   - brand: The app.
    ///   - store: The store of its session.
    ///   - backend: The URL of the backend; nil for the stage's own.
    ///   - options: Additional arguments, as words of a shell, without single quotes.
    ///   - size: The terminal's size.
    ///   - more: Additional environment variables.
    ///   - program: A function that returns the program to start; it gets the app and its arguments.
    ///   - test: The test.
    /// - Throws: The test's error; an error if a program can't be started.
    func launch(
        _ brand: Brand = .customer,
        store: StoreChoice = .memory,
        backend: String? = nil,
        options: String = "",
        size: ScreenSize = ScreenSize(columns: 80, rows: 24),
        environment more: [String: String] = [:],
        within program: (String) -> String = { $0 },
        _ test: (TerminalSession) async throws -> Void
    ) async throws {
        let line = [
            try Executable.besideTests(brand.executable).path, "--backend \(backend ?? address)",
            "--store \(store.rawValue)", "--check-every 1", options,
        ]
        try await TerminalSession.run(
            size,
            program(line.joined(separator: " ")),
            environment: environment.merging(more) { _, new in new },
            in: folder.url,
            test
        )
    }

    /// The backend's URL.
    var address: String { "http://127.0.0.1:\(settings.port)" }

    /// The running backend.
    var backend: ReferenceBackend { running.withLock { $0 } }

    /// Stops the backend and the stand-in for Apple.
    func stop() async {
        await backend.stop()
    }

    /// Starts both again on the same ports.
    func startAgain() async throws {
        let again = try await ReferenceBackend.start(settings)
        running.withLock { $0 = again }
    }
}
