// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import ReferenceBackend
import SharedTestSupport
import Synchronization
import UmuveBrands

@testable import DesktopShell

/// A backend with its stand-in for Apple, and a home folder, all real and created for one test, which starts apps on
/// it.
final class DesktopStage: Sendable {
    /// The e-mail address of the user whom the stand-in for Apple signs in.
    static let email = "driver@example.com"
    /// That user's name, which the apps show.
    static let userName = "Dana Driver"
    private static let standInKey = Result { try StandInKey(id: "test-key") }

    private let settings: BackendSettings
    private let running: Mutex<ReferenceBackend>
    /// The ports of the backend and the stand-in, which stay theirs while both are stopped.
    private let ports: [HeldPort]
    /// The session bus of the apps, if they have no keyring.
    private let bus: PrivateBus?
    /// The environment of the apps.
    let environment: [String: String]
    /// The folder of the whole stage, except for the keyring's files.
    let folder: TemporaryFolder
    /// The home folder of the apps.
    let home: URL
    /// The tokens that the backend has issued.
    let issued: Collected<IssuedToken>

    private init(
        _ keyring: PrivateKeyring?,
        _ required: [AccountRole: Set<ProfileMember>],
        _ adjust: (inout BackendSettings) -> Void
    ) async throws {
        let (folder, issued) = (try TemporaryFolder(), Collected<IssuedToken>())
        let (port, applePort) = (try HeldPort(), try HeldPort())
        var settings = BackendSettings(databasePath: folder.url.appending(path: "backend.sqlite").path())
        settings.passwordCost = .insecurelyCheap
        settings.port = port.number
        settings.appleStandInPort = applePort.number
        settings.standInKey = try Self.standInKey.get()
        settings.requiredProfile = required
        settings.onIssue = { issued.append($0) }
        adjust(&settings)
        let backend = try await ReferenceBackend.start(settings)
        (self.folder, self.issued, self.settings, ports) = (folder, issued, settings, [port, applePort])
        running = Mutex(backend)
        home = try keyring?.home ?? folder.folder("home")
        if let keyring {
            (bus, environment) = (nil, Self.environment(of: keyring))
        } else {
            let run = try folder.folder("run")
            let bus = try await PrivateBus(in: run)
            self.bus = bus
            environment = Self.environment(on: bus, in: run, home: home)
        }
    }

    /// Runs a test on a stage, and always takes the stage down.
    ///
    /// - Parameters:
    ///   - keyring: The keyring of the apps, whose home folder they use; nil for none.
    ///   - required: The members that the backend requires of an account; none, so that no app asks for them.
    ///   - adjust: Changes further settings of the backend.
    ///   - test: The test.
    /// - Throws: The test's error; an error if a program can't be started.
    static func run(
        with keyring: PrivateKeyring? = nil,
        requiring required: [AccountRole: Set<ProfileMember>] = [:],
        adjusting adjust: (inout BackendSettings) -> Void = { _ in },
        _ test: (DesktopStage) async throws -> Void
    ) async throws {
        let stage = try await DesktopStage(keyring, required, adjust)
        defer { stage.folder.remove() }
        do {
            try await test(stage)
        } catch {
            await stage.end()
            throw error
        }
        await stage.end()
    }

    /// Runs a test on a stage with a keyring of its own, unlocked and empty.
    static func runWithKeyring(
        requiring required: [AccountRole: Set<ProfileMember>] = [:],
        _ test: (DesktopStage, PrivateKeyring) async throws -> Void
    ) async throws {
        try await PrivateKeyring.with { keyring in
            try await run(with: keyring, requiring: required) { try await test($0, keyring) }
        }
    }

    /// Runs a test with one app, its session in memory.
    static func launch(
        _ brand: Brand = .customer,
        environment more: [String: String] = [:],
        _ test: (DesktopStage, DesktopApp) async throws -> Void
    ) async throws {
        try await run { stage in
            try await stage.launch(brand, environment: more) { try await test(stage, $0) }
        }
    }

    /// Starts an app on a display of its own, and always stops both.
    ///
    /// - Parameters:
    ///   - brand: The app.
    ///   - store: The store of its session; nil for the app's choice.
    ///   - backend: The URL of the backend; nil for the stage's own.
    ///   - options: Additional arguments.
    ///   - more: Additional environment variables.
    ///   - launcher: The words of a program that starts the app.
    ///   - test: The test.
    /// - Throws: The test's error; an error if a program can't be started.
    func launch(
        _ brand: Brand = .customer,
        store: StoreChoice? = .memory,
        backend: String? = nil,
        options: [String] = [],
        environment more: [String: String] = [:],
        within launcher: [String] = [],
        _ test: (DesktopApp) async throws -> Void
    ) async throws {
        let program = try Executable.besideTests(brand.executable).path
        let place = store.map { ["--store", $0.rawValue] } ?? []
        let arguments = ["--backend", backend ?? address, "--check-every", "1"] + place + options
        let words = launcher + [program] + arguments
        try await DesktopApp.run(
            words[0],
            Array(words.dropFirst()),
            environment: environment.merging(more) { _, new in new },
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

    private func end() async {
        await stop()
        await bus?.stop()
    }

    /// Starts both again on the same ports.
    func startAgain() async throws {
        let again = try await ReferenceBackend.start(settings)
        running.withLock { $0 = again }
    }
}
