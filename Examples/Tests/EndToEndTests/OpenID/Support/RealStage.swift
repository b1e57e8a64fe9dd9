// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// A real provider, a user with a browser, and the tool with a keyring.
struct RealStage: Sendable {
    let provider: RealProvider
    let folder: TemporaryFolder
    var tool: Tool

    /// Runs a test on a stage of its own.
    static func run(
        _ kind: RealProvider.Kind,
        _ options: [String] = [],
        _ test: (RealStage) async throws -> Void
    ) async throws {
        try await RealProvider.run(kind, options) { provider in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            try await PrivateKeyring.with { keyring in
                var stage = RealStage(provider: provider, folder: folder, tool: Tool(in: keyring.environment))
                stage.setBrowser()
                stage.tool.environment.merge(stage.userEnvironment) { _, new in new }
                try await test(stage)
            }
        }
    }

    /// Replaces the browser by a script that plays the user.
    ///
    /// The script's settings are part of the command: a browser gets only the variables of the tool's environment that
    /// browsers need.
    mutating func setBrowser(_ more: [String: String] = [:]) {
        let settings = userEnvironment.merging(more) { _, new in new }.map { "\($0.key)=\($0.value)" }
        let command = ["env"] + settings + [MisbehavingProvider.support("providers/person")]
        tool.environment["BROWSER"] = command.joined(separator: " ")
    }

    /// The settings of the scripts that play the user.
    var userEnvironment: [String: String] {
        ["PERSON_LOGIN": provider.user.login, "PERSON_PASSWORD": provider.user.password]
    }

    /// Returns the arguments that select the tool's client.
    func arguments(of name: String) throws -> [String] {
        let client = try #require(provider.clients[name])
        var arguments = ["--issuer", provider.issuer, "--client-id", client.id]
        if let secret = client.secret {
            let file = folder.url.appending(path: name)
            try Data((secret + "\n").utf8).write(to: file)
            arguments += ["--client-secret-file", file.path, "--client-auth", name]
        }
        return arguments + ["--redirect-port", "\(provider.redirectPort ?? 0)"]
    }

    /// Signs in, with a browser.
    func login(as client: String, _ more: String...) async throws -> Command.Output {
        try await tool.run(["login"] + arguments(of: client) + ["--login-timeout", "40"] + more)
    }

    /// Waits until the second of a sign-in is over: Canaille can't refresh in it.
    func waitForNextSecond() async throws {
        if provider.kind == .canaille { try await Task.sleep(for: .milliseconds(1_100)) }
    }
}
