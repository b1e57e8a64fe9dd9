import Foundation
import ReferenceBackend
import Synchronization
import TestSupport

/// A backend with its stand-in for Apple, a home folder, and an app in a terminal: all real and all of a test's own.
final class ShellStage: Sendable {
    private static let standInKey = Result { try StandInKey(id: "test-key") }

    private let settings: BackendSettings
    private let backend: Mutex<ReferenceBackend>
    private let folder: TemporaryFolder
    /// What the app is given of the environment.
    let environment: [String: String]
    private let port: Int
    private let applePort: Int

    private init() async throws {
        folder = try TemporaryFolder()
        var settings = BackendSettings(databasePath: folder.url.appending(path: "backend.sqlite").path())
        settings.passwordCost = .insecurelyCheap
        settings.appleStandInPort = 0
        settings.standInKey = try Self.standInKey.get()
        let backend = try await ReferenceBackend.start(settings)
        (port, applePort) = (backend.port, backend.applePort ?? 0)
        (settings.port, settings.appleStandInPort) = (port, applePort)
        self.settings = settings
        self.backend = Mutex(backend)
        let home = try folder.folder("home")
        environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "HOME": home.path(), "XDG_CONFIG_HOME": home.appending(path: ".config").path(),
            "XDG_RUNTIME_DIR": try folder.folder("run").path(),
            "BROWSER": Self.browser,
        ]
    }

    /// Plays the person at the stand-in for Apple.
    private static var browser: String {
        URL(filePath: #filePath).appending(path: "../../../../Support/browser").standardizedFileURL.path()
    }

    /// Runs a test with an app in a terminal, and takes all of it down whatever happens.
    ///
    /// - Parameters:
    ///   - options: More arguments of the app.
    ///   - size: The terminal's size.
    ///   - more: More of the environment.
    ///   - test: The test.
    /// - Throws: What the test throws; what can't be started.
    static func run(
        _ options: String = "",
        size: (columns: Int, rows: Int) = (80, 24),
        environment more: [String: String] = [:],
        _ test: (ShellStage, TerminalSession) async throws -> Void
    ) async throws {
        let stage = try await ShellStage()
        defer { stage.folder.remove() }
        let app = try Executable.besideTests("umuve").path
        let line = "\(app) --backend http://127.0.0.1:\(stage.port) --apple-issuer http://127.0.0.1:\(stage.applePort)"
        do {
            try await TerminalSession.run(
                size,
                "\(line) --store memory --check-every 1 \(options)",
                environment: stage.environment.merging(more) { _, new in new },
                in: stage.folder.url
            ) { try await test(stage, $0) }
        } catch {
            await stage.stop()
            throw error
        }
        await stage.stop()
    }

    /// Stops the backend.
    func stop() async {
        await backend.withLock { $0 }.stop()
    }

    /// Starts it again where it was.
    func startAgain() async throws {
        let again = try await ReferenceBackend.start(settings)
        backend.withLock { $0 = again }
    }
}
