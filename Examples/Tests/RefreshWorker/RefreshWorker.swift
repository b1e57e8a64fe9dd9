// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthSession
import BackendTestSupport
import SecureStore
import SharedTestSupport

/// A process of an app: it opens the session in the system's keyring and makes authenticated calls.
///
///     RefreshWorker sign-in SERVICE ACCOUNT URL EMAIL           reads the password from standard input
///     RefreshWorker call SERVICE ACCOUNT URL SECONDS PAUSE      pauses between two calls, in milliseconds
///     RefreshWorker upgrade SERVICE ACCOUNT URL SECONDS PAUSE   the same, with the items of an older version
///     RefreshWorker sign-out SERVICE ACCOUNT URL                removes these too
///
/// Reports events on standard output, one ``WorkerLine`` a line. Every failure of the worker itself is an uncaught
/// error, so that the process fails.
@main
enum RefreshWorker {
    static func main() async throws {
        let arguments = WorkerArguments(CommandLine.arguments)
        let task = try arguments[1]
        let context = try WorkerContext(arguments, isUpgrade: task == "upgrade" || task == "sign-out")
        switch task {
        case "sign-in": try await signIn(at: context, email: try arguments[5])
        case "call", "upgrade":
            let calls = CallLoop(context: context, pause: .milliseconds(try arguments.number(6)))
            try await calls.run(for: .seconds(try arguments.number(5)))
        case "sign-out":
            let result = await context.session(transport: nil).signOut()
            guard result.revocation == .revoked, result.storeError == nil else { throw WorkerError("\(result)") }
            Output.say(.init(.done))
        default: throw WorkerError("no such task")
        }
    }

    private static func signIn(at context: WorkerContext, email: String) async throws {
        guard let password = readLine() else { throw WorkerError("no password") }
        let session = context.session(transport: nil)
        let device = DeviceInfo(
            osVersion: "1",
            model: "test",
            appVersion: "1",
            installationID: "00000000-0000-4000-8000-000000000001"
        )
        try await session.signIn(email: email, password: Password(password), device: device)
        if let error = await session.persistenceError { throw error }
        Output.say(.init(.done))
    }
}
