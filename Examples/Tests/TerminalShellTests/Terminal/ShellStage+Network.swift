// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import SharedTestSupport
import TerminalShell
import UmuveBrands

extension ShellStage {
    /// Runs a test with a signed-in app, whose session is in a keyring, and with its backend in a network of the test's
    /// own.
    ///
    /// - Parameters:
    ///   - brand: The app.
    ///   - test: The test; it gets the stage and the network, which works at first.
    /// - Throws: The test's error; an error if a program can't be started.
    static func runInNetwork(
        _ brand: Brand,
        _ test: (ShellStage, NetworkNamespace) async throws -> Void
    ) async throws {
        // As the backend's program requires it.
        try await runWithKeyring(requiring: [.driver: [.phoneNumber]]) { stage, _ in
            try await stage.launch(brand, store: .keyring) { terminal in
                try await terminal.skipOnboarding(brand)
                try await terminal.press("Enter")
                if brand.role == "driver" {
                    try await terminal.wait(for: "Phone number")
                    try await terminal.type("+1 415 555 0100")
                    try await terminal.press("Enter")
                }
                try await terminal.wait(for: brand.greeting)
                try await terminal.quit()
            }
            await stage.stop()
            try await NetworkNamespace.with { network in
                let backend = try stage.backendProcess(in: network)
                defer { backend.send(SIGKILL) }
                _ = try await backend.read(until: "listening on")
                try await test(stage, network)
            }
        }
    }

    /// Starts the backend's program with the stage's data and port in a network.
    private func backendProcess(in network: NetworkNamespace) throws -> RunningProcess {
        let program = try Executable.besideTests("sallyport-backend").path
        let port = address.split(separator: ":").last ?? ""
        let database = folder.url.appending(path: "backend.sqlite").path()
        var process = ChildProcess()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "exec \(network.entrance) \(program) --port \(port) --database \(database)"]
        let output = Pipe.make()
        process.standardOutput = .pipe(output)
        process.standardError = .null
        return try RunningProcess(process, output: output.fileHandleForReading)
    }

    /// Starts an app in a network that is away, and waits for the offline banner.
    ///
    /// - Parameters:
    ///   - brand: The app.
    ///   - network: The network.
    ///   - test: The test that follows, with the app's terminal.
    /// - Returns: The times of the start.
    /// - Throws: The test's error; an error if a program can't be started.
    func startOffline(
        _ brand: Brand,
        in network: NetworkNamespace,
        _ test: (TerminalSession) async throws -> Void = { try await $0.quit() }
    ) async throws -> StartTimes {
        let file = folder.url.appending(path: "start-times")
        try await launch(
            brand,
            store: .keyring,
            within: { StartTimes.program(recording: "\(network.entrance) \($0)", to: file) }
        ) { terminal in
            try await terminal.wait(for: "Offline since")
            try await test(terminal)
        }
        return try StartTimes(recordedIn: file)
    }
}
