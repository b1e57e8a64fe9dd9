// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import SharedTestSupport
import UmuveBrands

@testable import DesktopShell

extension DesktopStage {
    /// Runs a test with a signed-in app, whose session is in a keyring, and with its backend in a network of the test's
    /// own.
    ///
    /// - Parameters:
    ///   - brand: The app.
    ///   - test: The test; it gets the stage and the network, which works at first.
    /// - Throws: The test's error; an error if a program can't be started.
    static func runInNetwork(
        _ brand: Brand,
        _ test: (DesktopStage, NetworkNamespace) async throws -> Void
    ) async throws {
        // As the backend's program requires it.
        try await runWithKeyring(requiring: [.driver: [.phoneNumber]]) { stage, _ in
            try await stage.launch(brand, store: .keyring) { app in
                try await app.skipOnboarding(brand)
                try await app.press(DesktopApp.signInButton)
                if brand == .driver {
                    try await app.type("+1 415 555 0100", into: "Phone number with its country code")
                    try await app.press("Continue")
                }
                try await app.wait(for: brand.greeting)
                try await app.quit()
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
}
