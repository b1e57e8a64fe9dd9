// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import SharedTestSupport
import Testing

/// Git's own http-backend on loopback, which serves those whose access token the provider takes.
struct GitCredentialServer: Sendable {
    /// A request in the server's log.
    struct Request: Decodable, Sendable {
        let path: String
        /// The scheme of the credential in lower case; nil if there was none.
        let scheme: String?
        let status: Int
    }

    let url: String
    private let repositories: TemporaryFolder
    private let process: RunningProcess

    /// Whether this machine has the required programs.
    static var isAvailable: Bool { Executable.find("git") != nil && Python.has("http.server") }

    /// Runs a test with a server of its own, and always stops it.
    static func run(
        for provider: MisbehavingProvider,
        _ test: (GitCredentialServer) async throws -> Void
    ) async throws {
        let repositories = try TemporaryFolder()
        defer { repositories.remove() }
        let program = MisbehavingProvider.support("git-server/server")
        let running = try RunningProcess.server(program, [repositories.url.path, provider.issuer + "/userinfo"]).process
        do {
            let line = try await running.read(until: "\n")
            let startup = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
            let url = try #require(startup["url"])
            try await test(GitCredentialServer(url: url, repositories: repositories, process: running))
        } catch {
            await running.end()
            throw error
        }
        await running.end()
    }

    /// Creates an empty repository, and returns its URL.
    func repository(_ path: String) async throws -> String {
        let folder = repositories.url.appending(path: path)
        let output = try await Command("git", ["init", "--quiet", "--bare", "-b", "main", folder.path]).run()
        try #require(output.exitCode == 0, "\(output.errorText)")
        return "\(url)/\(path)"
    }

    /// Returns every request of git.
    func log() async throws -> [Request] {
        try JSONDecoder().decode([Request].self, from: try await Curl.get(url + "/_log").body)
    }
}

extension OpenIDStage {
    /// Runs git, which asks the tool for credentials and nobody else.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of git.
    ///   - url: The URL that the tool answers for.
    /// - Returns: The output of git.
    /// - Throws: `TestSupportError` if git does not end.
    func git(_ arguments: [String], for url: String) async throws -> Command.Output {
        var environment = tool.environment
        environment["GIT_CONFIG_NOSYSTEM"] = "1"
        environment["GIT_CONFIG_GLOBAL"] = "/dev/null"
        environment["GIT_TERMINAL_PROMPT"] = "0"
        environment["GIT_ASKPASS"] = ""
        let helper = "!'\(try Executable.besideTests("sallyport").path)' git-credential --for '\(url)'"
        let settings = ["credential.helper=\(helper)", "user.name=Ada", "user.email=ada@example.com"]
        let output = try await Command(
            "git",
            settings.flatMap { ["-c", $0] } + arguments,
            environment: environment
        ).run(timeout: .seconds(120))
        tool.printed.append(output.text + output.errorText)
        return output
    }

    /// Revokes a token at the provider.
    func revoke(_ token: String) async throws {
        let form = "client_id=\(MisbehavingProvider.publicClient)&token=\(token)"
        let arguments = ["-fsS", "--noproxy", "*", "--data-binary", "@-", provider.issuer + "/revoke"]
        let output = try await Command("curl", arguments, input: Data(form.utf8)).run()
        try #require(output.exitCode == 0, "\(output.errorText)")
    }

    /// Returns the number of refreshes that the provider has seen.
    func refreshes() async throws -> Int {
        try await provider.log().count { $0.grantType == "refresh_token" }
    }
}
