import Foundation
import TestSupport
import Testing

/// The ways in, as a person takes them.
extension Stage {
    /// Signs in with the password.
    func login(_ more: String..., password: String = password) async throws -> Command.Output {
        try await tool.run(
            ["login", "--backend", url, "--email", Self.email, "--password-stdin"] + more,
            input: password + "\n"
        )
    }

    /// Signs in with Apple's way, in the browser.
    func appleLogin(_ more: String...) async throws -> Command.Output {
        try await tool.run(
            ["login", "--backend", url, "--apple", "--apple-issuer", issuer, "--login-timeout", "60"] + more
        )
    }

    /// A browser that runs a line of shell, in which `$1` is the address, and then plays the person.
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

    /// A sign-in with Apple's way that has shown the address for the browser and waits.
    func waitingLogin() async throws -> (login: RunningProcess, address: String) {
        let login = try tool.start(
            "login",
            "--backend",
            url,
            "--apple",
            "--apple-issuer",
            issuer,
            "--no-browser"
        )
        let notes = try await login.read(until: "code_challenge_method=S256")
        let address = try #require(notes.split(separator: "\n").last { $0.hasPrefix(issuer) })
        return (login, String(address))
    }

    /// Signs in with the password where the test is about what comes after.
    func signedIn(_ more: String...) async throws {
        let output = try await tool.run(
            ["login", "--backend", url, "--email", Self.email, "--password-stdin"] + more,
            input: Self.password + "\n"
        )
        try #require(output.exitCode == 0, "\(output.errorText)")
    }

    /// What the keyring holds of the tool, as `secret-tool` shows it.
    func stored() async throws -> String {
        let output = try await keyring.secretTool(["search", "--all", "application", "sallyport"])
        return output.text + output.errorText
    }

    /// The secret under one key; empty where there is none.
    func secret(key: String, profile: String = "default") async throws -> String {
        try await keyring.secretTool(["lookup"] + Self.attributes(key, profile)).text
    }

    /// Puts a record where the tool keeps its own.
    func store(_ record: String, profile: String = "default") async throws {
        let output = try await keyring.secretTool(
            ["store", "--label=x"] + Self.attributes("session", profile),
            input: record
        )
        try #require(output.exitCode == 0)
    }

    private static func attributes(_ key: String, _ profile: String) -> [String] {
        ["application", "sallyport", "service", "sallyport", "account", profile, "key", key]
    }
}
