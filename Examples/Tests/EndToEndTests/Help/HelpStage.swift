// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// The tool in a folder of its own, without a session bus, for tests that run nothing but help.
///
/// The folder has the account `work` of the examples.
struct HelpStage {
    let tool: Tool
    let folder: TemporaryFolder

    static func run(_ test: (HelpStage) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var environment = ProcessInfo.processInfo.environment
        environment["DBUS_SESSION_BUS_ADDRESS"] = nil
        environment["COLUMNS"] = "80"
        for name in ["HOME", "XDG_RUNTIME_DIR"] { environment[name] = folder.url.path() }
        environment["XDG_CONFIG_HOME"] = nil
        let accounts = folder.url.appending(path: ".config/sallyport/providers.d")
        try FileManager.default.createDirectory(at: accounts, withIntermediateDirectories: true)
        let work = #"{"issuer": "https://id.example.com", "client_id": "a"}"#
        try Data(work.utf8).write(to: accounts.appending(path: "work.json"))
        try await test(HelpStage(tool: Tool(in: environment), folder: folder))
    }

    /// The names of the commands in the tool's own list, without `help`.
    func commands() async throws -> [String] {
        let output = try await tool("--experimental-dump-help")
        let root = try #require(output.object["command"] as? [String: Any])
        let commands = try #require(root["subcommands"] as? [[String: Any]])
        let shown = commands.filter { $0["shouldDisplay"] as? Bool != false }
        return shown.compactMap { $0["commandName"] as? String }.filter { $0 != "help" }
    }

    /// The help of a command; of the tool itself if the name is empty.
    func help(_ command: String, _ option: String = "--help") async throws -> String {
        let output = try await tool.run([command, option].filter { !$0.isEmpty })
        #expect(output.exitCode == 0, "\(output.errorText)")
        return output.text
    }

    /// The lines of the section of examples, without their indentation.
    static func section(in help: String) -> [String] {
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let start = lines.firstIndex(of: "EXAMPLES:") else { return [] }
        return lines[(start + 1)...].prefix { $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) }
    }

    /// The command lines in the section of examples.
    static func examples(in help: String) -> [String] {
        section(in: help).filter { $0.hasPrefix("sallyport ") }
    }

    /// Runs a line in bash, in which `sallyport` only checks its arguments.
    func check(_ line: String) async throws -> Command.Output {
        var environment = tool.environment
        environment["TOOL"] = try Executable.besideTests("sallyport").path
        environment["FOLDER"] = folder.url.path()
        let script = """
            set -euo pipefail
            cd "$FOLDER"
            sallyport() { "$TOOL" parse "$@"; }
            jq() { cat >/dev/null; }
            source() { cat >/dev/null; }
            \(line)
            """
        return try await Command("bash", ["-c", script], environment: environment).run()
    }
}
