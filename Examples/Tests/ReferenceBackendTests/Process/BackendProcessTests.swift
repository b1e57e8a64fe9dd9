import Foundation
import ReferenceBackend
import TestSupport
import Testing

@Suite("The program itself")
struct BackendProcessTests {
    private func withFolder(_ test: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "backend-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await test(folder)
    }

    private func process(
        _ arguments: [String],
        in folder: URL,
        apiKey: String? = nil
    ) throws -> (process: Process, output: Pipe, error: Pipe) {
        let process = Process()
        process.environment = ProcessInfo.processInfo.environment
        process.environment?["SALLYPORT_BACKEND_API_KEY"] = apiKey
        let output = Pipe.make(), error = Pipe.make()
        process.executableURL = try Executable.besideTests("sallyport-backend")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = error
        return (process, output, error)
    }

    @Test func `it says where it listens, serves, and stops cleanly when asked`() async throws {
        try await withFolder { folder in
            let (process, output, _) = try process(
                ["--port", "0", "--apple-stand-in", "--apple-port", "0"],
                in: folder
            )
            try process.start()
            defer { if process.isRunning { process.terminate() } }
            var said = ""
            while said.split(separator: "\n").count < 2 || !said.hasSuffix("\n") {
                let bytes = output.fileHandleForReading.availableData
                try #require(!bytes.isEmpty)
                said += String(decoding: bytes, as: UTF8.self)
            }
            let lines = said.split(separator: "\n")
            #expect(lines[0].hasPrefix("sallyport-backend listening on http://127.0.0.1:"))
            #expect(lines[1].contains("not Apple"))
            let url = try #require(lines[0].split(separator: " ").last)
            #expect(try await TestHTTP.get(url + "/health").status == 200)
            process.terminate()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit)
            #expect(process.terminationStatus == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["sallyport-backend.sqlite"])
        }
    }

    /// Arguments can be read by everyone on the machine, a process's environment by its owner alone.
    @Test(
        arguments: [(nil, "missing_token"), ("", "missing_token"), ("key", "invalid_api_key")]
            as [(String?, String)]
    )
    func `it asks for the API key of its environment`(apiKey: String?, code: String) async throws {
        try await withFolder { folder in
            let (process, output, _) = try process(["--port", "0"], in: folder, apiKey: apiKey)
            try process.start()
            defer {
                if process.isRunning { process.terminate() }
                process.waitUntilExit()
            }
            // One write, one line: what the program says of where it listens.
            let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            let url = try #require(said.split(whereSeparator: \.isWhitespace).last)
            #expect(try await TestHTTP.get(url + "/api/jobs").code == code)
            guard let apiKey else { return }
            #expect(try await TestHTTP.get(url + "/api/jobs", headers: ["X-API-Key": apiKey]).code == "missing_token")
        }
    }

    @Test func `a port in use is one sentence and exit code 1`() async throws {
        try await TestBackend.run { server in
            try await withFolder { folder in
                let (process, _, error) = try process(["--port", "\(server.backend.port)"], in: folder)
                try process.start()
                let text = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                #expect(process.terminationStatus == 1)
                #expect(text.split(separator: "\n").count == 1)
                #expect(text.contains("in use"))
            }
        }
    }

    @Test(arguments: [
        ["--port", "99999"], ["--bundle-id", "com.example"], ["--unknown"], ["--access-token-lifetime", "0"],
        ["--api-key", "key"], ["add-account"],
    ])
    func `wrong arguments are exit code 2`(arguments: [String]) async throws {
        try await withFolder { folder in
            let (process, _, error) = try process(arguments, in: folder)
            try process.start()
            let text = error.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            #expect(process.terminationStatus == 2)
            #expect(!text.isEmpty)
        }
    }

    @Test func `an account added on the command line signs in`() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "backend.sqlite").path()
            let arguments = ["add-account", "--database", path, "--email", "Bea@Example.com", "--name", "Bea"]
            let (process, _, _) = try process(arguments, in: folder)
            let input = Pipe.make()
            process.standardInput = input
            try process.start()
            input.fileHandleForWriting.write(Data("pass word\n".utf8))
            try input.fileHandleForWriting.close()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            try await TestBackend.run(databasePath: path) { server in
                var body = TestBackend.loginBody
                body["email"] = "bea@example.com"
                body["password"] = "pass word"
                let answer = try await server.post("/api/v1/auth/login", body)
                #expect(answer.user("name") == "Bea")
            }
        }
    }
}
