// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// The ways to sign in, as a user takes them.
extension Stage {
    /// Signs in with the password.
    func login(_ more: String..., password: String = password) async throws -> Command.Output {
        try await tool.run(
            ["login", "--backend", url, "--email", Self.email, "--password-stdin"] + more,
            input: password + "\n"
        )
    }

    /// Signs in with Apple, in the browser.
    func appleLogin(_ more: String...) async throws -> Command.Output {
        try await tool.run(["login", "--backend", url, "--apple", "--login-timeout", "60"] + more)
    }

    /// Returns a browser that runs a line of shell, in which `$1` is the URL, and then plays the user.
    func browser(thatFirst line: String) throws -> String {
        let script = folder.url.appending(path: "browser")
        let text = """
            #!/bin/sh
            \(line)
            exec '\(Tool.browser)' "$1"
            """
        try Data(text.utf8).write(to: script)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script.path())
        return script.path()
    }

    /// Starts a sign-in with Apple, which waits after it has shown the URL for the browser.
    ///
    /// - Parameter issuer: The provider that stands for Apple; nil if the backend carries out the sign-in.
    /// - Returns: The tool, and the URL.
    /// - Throws: An error if no URL is shown.
    func waitingLogin(issuer: String? = nil) async throws -> (login: RunningProcess, address: String) {
        let login = try tool.start(
            ["login", "--backend", url, "--apple", "--no-browser"] + (issuer.map { ["--apple-issuer", $0] } ?? [])
        )
        let notes = try await login.read(until: "code_challenge_method=S256")
        let address = try #require(notes.split(separator: "\n").last { $0.hasPrefix(issuer ?? url) })
        return (login, String(address))
    }

    /// Signs in with the password, for tests about later steps.
    func signedIn(_ more: String...) async throws {
        let output = try await tool.run(
            ["login", "--backend", url, "--email", Self.email, "--password-stdin"] + more,
            input: Self.password + "\n"
        )
        try #require(output.exitCode == 0, "\(output.errorText)")
    }

    /// Returns the tool's items in the keyring, as `secret-tool` shows them.
    func stored() async throws -> String {
        let output = try await keyring.secretTool(["search", "--all", "application", "sallyport"])
        return output.text + output.errorText
    }

    /// Returns the secret of a key; empty if the keyring has no such item.
    func secret(key: String, profile: String = "default") async throws -> String {
        try await keyring.secretTool(["lookup"] + Self.attributes(key, profile)).text
    }

    /// Stores a record in place of the tool's own.
    func store(_ record: String, key: String = "session", profile: String = "default") async throws {
        let output = try await keyring.secretTool(
            ["store", "--label=x"] + Self.attributes(key, profile),
            input: record
        )
        try #require(output.exitCode == 0)
    }

    private static func attributes(_ key: String, _ profile: String) -> [String] {
        ["application", "sallyport", "service", "sallyport", "account", profile, "key", key]
    }
}
