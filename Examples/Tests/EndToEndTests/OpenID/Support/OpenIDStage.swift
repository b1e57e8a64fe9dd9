// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// The misbehaving provider, and the tool in a home directory of its own.
struct OpenIDStage: Sendable {
    let provider: MisbehavingProvider
    /// A folder of the test alone, outside the tool's home directory.
    let folder: TemporaryFolder
    /// The keyring; nil if the tool has none, and its session ends with the command.
    let keyring: PrivateKeyring?
    var tool: Tool
    private let home: TemporaryFolder?

    /// Runs a test whose sessions end with their command.
    static func run(_ test: (OpenIDStage) async throws -> Void) async throws {
        try await ProviderPool.shared.with { provider in
            let (folder, home) = (try TemporaryFolder(), try TemporaryFolder())
            defer { for one in [folder, home] { one.remove() } }
            var environment = ProcessInfo.processInfo.environment
            environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
            for name in [
                "HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
                "XDG_STATE_HOME",
            ] {
                environment[name] = home.url.path
            }
            try await test(try OpenIDStage(provider, folder, nil, home, environment))
        }
    }

    /// Runs a test whose sessions are kept in a keyring.
    static func runWithKeyring(_ test: (OpenIDStage) async throws -> Void) async throws {
        try await ProviderPool.shared.with { provider in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            try await PrivateKeyring.with { keyring in
                try await test(try OpenIDStage(provider, folder, keyring, nil, keyring.environment))
            }
        }
    }

    private init(
        _ provider: MisbehavingProvider,
        _ folder: TemporaryFolder,
        _ keyring: PrivateKeyring?,
        _ home: TemporaryFolder?,
        _ environment: [String: String]
    ) throws {
        (self.provider, self.folder, self.keyring, self.home) = (provider, folder, keyring, home)
        tool = Tool(in: environment)
        // Through `sh`: a file that this process has just written can't be executed while any child still has it open.
        tool.environment["BROWSER"] = "sh \(browser.path)"
        try Data("printf '%s\\n' \"$1\" >>'\(opened.path)'\nexec curl -fsSL \"$1\"\n".utf8).write(to: browser)
    }

    /// A browser that records its URLs and follows each to its end.
    private var browser: URL { folder.url.appending(path: "browser") }

    private var opened: URL { folder.url.appending(path: "opened") }

    /// The URLs in the browser's arguments, which every user of the machine can read.
    var addresses: [String] {
        let text = try? String(contentsOf: opened, encoding: .utf8)
        return (text ?? "").split(separator: "\n").map(String.init)
    }

    /// Signs in as the client of a fault.
    func login(for fault: Fault, _ more: String...) async throws -> Command.Output {
        let limits = [
            "--login-timeout", fault.waits == true ? "3" : "40", "--http-timeout", fault.isSlow ? "3" : "20",
        ]
        return try await login(as: fault.client, (fault.login ?? []) + limits + more)
    }

    /// Signs in as `public`, `basic` or `post`, or with the private key of `ec`, `rsa` or `service`; `more` may name
    /// another client with `--client-id`.
    func login(as client: String = "public", _ more: [String] = []) async throws -> Command.Output {
        let confidential = ["basic": provider.basic, "post": provider.post][client]
        var arguments = ["login", "--issuer", provider.issuer]
        if let confidential {
            let file = folder.url.appending(path: client)
            try Data((confidential.secret + "\n").utf8).write(to: file)
            arguments += ["--client-id", confidential.id, "--client-secret-file", file.path, "--client-auth", client]
        } else if let client = provider.keyClients[client] {
            let file = folder.url.appending(path: client.id + ".pem")
            try Data(client.pem.utf8).write(to: file)
            arguments += ["--client-id", client.id, "--private-key", file.path]
        } else if !more.contains("--client-id") {
            arguments += ["--client-id", MisbehavingProvider.publicClient]
        }
        return try await tool.run(arguments + more)
    }

    /// Returns the tool's items in the keyring, as `secret-tool` shows them; empty if there are none.
    func keptItems() async throws -> String {
        let keyring = try #require(self.keyring)
        let output = try await keyring.secretTool(["search", "--all", "application", "sallyport"])
        return output.text + output.errorText
    }

    /// Runs `secret-tool` with the item of the clients' credentials.
    func clientItem(_ verb: String..., input: String = "") async throws -> Command.Output {
        let item = ["application", "sallyport", "service", "sallyport", "account", "default", "key", "client"]
        let keyring = try #require(self.keyring)
        return try await keyring.secretTool(verb + item, input: input)
    }

    /// Returns the files with these bytes, among those that the tool could write.
    func files(containing bytes: Data) -> [String] {
        keyring?.files(containing: bytes) ?? home?.files(containing: bytes) ?? []
    }
}
