// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

@Suite("The backend's program")
struct BackendProcessTests {
    private func withFolder(_ test: (URL) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try await test(folder.url)
    }

    private func process(
        _ arguments: [String],
        in folder: URL,
        apiKey: String? = nil,
        input: ChildProcess.Stream = .null
    ) throws -> (process: RunningProcess, output: FileHandle, error: FileHandle) {
        var process = ChildProcess()
        var environment = ProcessInfo.processInfo.environment
        environment["SALLYPORT_BACKEND_API_KEY"] = apiKey
        process.environment = environment
        let output = Pipe.make(), error = Pipe.make()
        process.executableURL = Executable.find("env")
        process.arguments = ["-C", folder.path(), try Executable.besideTests("sallyport-backend").path()] + arguments
        process.standardInput = input
        process.standardOutput = .pipe(output)
        process.standardError = .pipe(error)
        return (try RunningProcess(process), output.fileHandleForReading, error.fileHandleForReading)
    }

    @Test func `the backend prints its address, serves requests, and stops cleanly on SIGTERM`() async throws {
        try await withFolder { folder in
            let (process, output, _) = try process(
                ["--port", "0", "--apple-stand-in", "--apple-port", "0"],
                in: folder
            )
            defer { process.send(SIGKILL) }
            var said = ""
            while said.split(separator: "\n").count < 2 || !said.hasSuffix("\n") {
                let bytes = output.availableData
                try #require(!bytes.isEmpty)
                said += String(decoding: bytes, as: UTF8.self)
            }
            let lines = said.split(separator: "\n")
            #expect(lines[0].hasPrefix("sallyport-backend listening on http://127.0.0.1:"))
            #expect(lines[1].contains("not Apple"))
            let url = try #require(lines[0].split(separator: " ").last)
            #expect(try await TestHTTP.get(url + "/health").status == 200)
            process.send(SIGTERM)
            #expect(await process.waitUntilExit(timeout: .seconds(60)) == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["sallyport-backend.sqlite"])
        }
    }

    /// Every user of the machine can read arguments; only its owner can read a process's environment.
    @Test(
        arguments: [(nil, "missing_token"), ("", "missing_token"), ("key", "invalid_api_key")]
            as [(String?, String)]
    )
    func `the backend requires the API key of its environment`(apiKey: String?, code: String) async throws {
        try await withFolder { folder in
            let (process, output, _) = try process(["--port", "0"], in: folder, apiKey: apiKey)
            defer { process.send(SIGKILL) }
            // The program writes its URL as one line, in one write.
            let said = String(decoding: output.availableData, as: UTF8.self)
            let url = try #require(said.split(whereSeparator: \.isWhitespace).last)
            #expect(try await TestHTTP.get(url + "/api/jobs").code == code)
            guard let apiKey else { return }
            #expect(try await TestHTTP.get(url + "/api/jobs", headers: ["X-API-Key": apiKey]).code == "missing_token")
        }
    }

    @Test func `the backend counts each client of the proxy that it is told to trust`() async throws {
        try await withFolder { folder in
            let (process, output, _) = try process(["--port", "0", "--trusted-proxy", "127.0.0.1"], in: folder)
            defer { process.send(SIGKILL) }
            let said = String(decoding: output.availableData, as: UTF8.self)
            let origin = try #require(said.split(whereSeparator: \.isWhitespace).last)
            let url = "\(origin)/api/v1/auth/login"
            let clients = (["X-Forwarded-For": "192.0.2.1"], ["X-Forwarded-For": "192.0.2.2"])
            for _ in 0..<BackendSettings(databasePath: "").signInLimit.attempts {
                #expect(try await TestHTTP.post(url, headers: clients.0, body: nil).code == "invalid_request")
            }
            #expect(try await TestHTTP.post(url, headers: clients.0, body: nil).code == "rate_limited")
            #expect(try await TestHTTP.post(url, headers: clients.1, body: nil).code == "invalid_request")
        }
    }

    @Test func `a port in use gives one sentence and exit code 1`() async throws {
        try await TestBackend.run { server in
            try await withFolder { folder in
                let (process, _, error) = try process(["--port", "\(server.backend.port)"], in: folder)
                let text = String(decoding: error.readDataToEndOfFile(), as: UTF8.self)
                #expect(await process.waitUntilExit(timeout: .seconds(60)) == 1)
                #expect(text.split(separator: "\n").count == 1)
                #expect(text.contains("in use"))
            }
        }
    }

    @Test(arguments: [
        ["--port", "99999"], ["--bundle-id", "com.example"], ["--unknown"], ["--access-token-lifetime", "0"],
        ["--api-key", "key"], ["add-account"], ["--apple-loopback"], ["--public-url", "https://umuve.example"],
        ["--apple-services-id", "com.example.app"], ["--trusted-proxy", "localhost"],
    ])
    func `wrong arguments end with exit code 2`(arguments: [String]) async throws {
        try await withFolder { folder in
            let (process, _, error) = try process(arguments, in: folder)
            let text = error.readDataToEndOfFile()
            #expect(await process.waitUntilExit(timeout: .seconds(60)) == 2)
            #expect(!text.isEmpty)
        }
    }

    /// Adds Bea's account, and returns the exit code and the error text.
    private func addAccount(_ more: [String], to path: String, in folder: URL) async throws -> (Int32?, String) {
        let arguments = ["add-account", "--database", path, "--email", "Bea@Example.com", "--name", "Bea"] + more
        let input = Pipe.make()
        let (process, _, error) = try process(arguments, in: folder, input: .pipe(input))
        input.fileHandleForWriting.write(Data("pass word\n".utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: error.readDataToEndOfFile(), as: UTF8.self)
        return (await process.waitUntilExit(timeout: .seconds(60)), text)
    }

    @Test(arguments: [([], "customer"), (["--role", "customer"], "customer"), (["--role", "driver"], "driver")])
    func `an account added on the command line can sign in, with its role`(
        arguments: [String],
        role: String
    ) async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "backend.sqlite").path()
            #expect(try await addAccount(arguments, to: path, in: folder).0 == 0)
            // The role of an existing account stays, whether it is named or not.
            #expect(try await addAccount([], to: path, in: folder).0 == 0)
            #expect(try await addAccount(["--role", role], to: path, in: folder).0 == 0)
            try await TestBackend.run(databasePath: path) { server in
                var body = TestBackend.loginBody
                body["email"] = "bea@example.com"
                body["password"] = "pass word"
                let answer = try await server.post("/api/v1/auth/login", body)
                #expect(answer.user("name") == "Bea")
                #expect(answer.user("role") == role)
            }
        }
    }

    @Test func `another role for an existing account is refused, and so is an unknown role`() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "backend.sqlite").path()
            #expect(try await addAccount(["--role", "driver"], to: path, in: folder).0 == 0)
            let (code, text) = try await addAccount(["--role", "customer"], to: path, in: folder)
            #expect(code == 1)
            #expect(text.contains("This account is registered as a driver, and a role never changes."))
            #expect(try await addAccount(["--role", "admin"], to: path, in: folder).0 == 2)
        }
    }
}
