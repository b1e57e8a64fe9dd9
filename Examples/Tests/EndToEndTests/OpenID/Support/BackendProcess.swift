// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport

/// The reference backend as a process, which accepts a provider's access tokens at one route.
struct BackendProcess: Sendable {
    /// The name of the API in the audience of the access tokens.
    static let audience = "https://jobs.example"

    /// The URL of the route.
    let url: String

    /// Runs a test with a backend that verifies the tokens of a provider, and always stops the backend.
    static func run(
        trusting provider: MisbehavingProvider,
        in folder: TemporaryFolder,
        _ test: (BackendProcess) async throws -> Void
    ) async throws {
        // Held for the whole test, because the backend's own URL is in the DPoP proofs.
        let port = try HeldPort()
        defer { withExtendedLifetime(port) {} }
        let output = Pipe.make()
        var process = ChildProcess()
        process.executableURL = try Executable.besideTests("sallyport-backend")
        process.arguments = [
            "--port", "\(port.number)", "--database", folder.url.appending(path: "backend.sqlite").path,
            "--issuer", provider.issuer, "--audience", audience, "--jwks-uri", provider.issuer + "/jwks",
        ]
        var environment = ProcessInfo.processInfo.environment
        environment["SALLYPORT_BACKEND_API_KEY"] = nil
        process.environment = environment
        process.standardInput = .null
        process.standardOutput = .pipe(output)
        process.standardError = .null
        let running = try RunningProcess(process, output: output.fileHandleForReading)
        do {
            _ = try await running.read(until: "listening on")
            try await test(BackendProcess(url: "http://127.0.0.1:\(port.number)/api/provider/jobs"))
        } catch {
            await running.end()
            throw error
        }
        await running.end()
    }
}
