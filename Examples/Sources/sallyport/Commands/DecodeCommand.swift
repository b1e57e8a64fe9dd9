// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthCore
import FoundationEssentials

/// `sallyport decode`: prints the header and claims of a JWT.
struct DecodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Show a JWT's header and claims. Verifies nothing.",
        usage: "sallyport decode [TOKEN | -] [--json]",
        examples: [
            Example("Decode the access token", "token | sallyport decode"),
            Example("Get one claim of the ID token", "token --id | sallyport decode --json | jq .claims.exp"),
        ]
    )

    @Argument(help: "The token. Without it, or with -, standard input is read, which other processes can't see.")
    var token = "-"

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    func run() throws {
        let text = token == "-" ? try StandardInput.readFirstLine() : token
        let jwt = try UnverifiedJWT(text)
        Terminal.note("Not verified: don't trust these claims.")
        if json {
            try JSONOutput.print(Report(verified: false, header: jwt.header.parameters, claims: jwt.claims.all))
            return
        }
        let lines =
            ["Header"] + rows(jwt.header.parameters) + ["Claims"] + rows(jwt.claims.all)
        Terminal.result(lines.joined(separator: "\n"))
    }

    private func rows(_ members: [String: JSONValue]) -> [String] {
        let width = members.keys.map(\.count).max() ?? 0
        return members.sorted { $0.key < $1.key }.map { name, value in
            let padding = String(repeating: " ", count: width - name.count)
            return "  \(shown(name))\(padding)  \(shown(text(value)))\(time(name, value))"
        }
    }

    private func text(_ value: JSONValue) -> String {
        if case .string(let text) = value { return text }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "a number out of range"
    }

    private func shown(_ text: String) -> String { Terminal.shown(text, limit: .max) ?? "" }

    private func time(_ name: String, _ value: JSONValue) -> String {
        guard ["exp", "iat", "nbf", "auth_time"].contains(name), case .integer(let seconds) = value,
            (0...253_402_300_799).contains(seconds)
        else { return "" }
        return "  \(RelativeTime.moment(Date(timeIntervalSince1970: Double(seconds))))"
    }

    private struct Report: Encodable {
        let verified: Bool
        let header: [String: JSONValue]
        let claims: [String: JSONValue]
    }
}
