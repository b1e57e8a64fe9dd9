// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport

/// A command line that the doctor prints: what a shell would run, without running it.
enum AdvisedCommand {
    /// The programs that a line may name; in bash, a function of that name writes down its arguments instead.
    private static let programs = [
        "chmod", "chown", "dbus-run-session", "df", "flatpak", "gnome-keyring-daemon", "id", "kill", "ls", "mv",
        "printf", "read", "sallyport", "snap", "sudo", "timedatectl",
    ]

    /// Returns the command lines of a report, which are indented more than the advice.
    static func lines(in report: String) -> [String] {
        let indentation = String(repeating: " ", count: 18)
        let lines = report.split(separator: "\n").filter { $0.hasPrefix(indentation) }
        return lines.map { String($0.dropFirst(indentation.count)) }
    }

    /// Returns the reason why a line is no valid command; nil if it is one.
    static func complaint(about line: String, _ tool: Tool) async throws -> String? {
        // Without PATH, a program that is not known is not found, and nothing runs but the functions.
        let script = """
            set -eo pipefail
            exec 3>&1
            PATH=
            record() { builtin printf '%s\\0' "$@" $'\\1' >&3; }
            for program in \(programs.joined(separator: " ")); do eval "$program() { record $program \\"\\$@\\"; }"; done
            \(line)
            """
        let shell = try await Command("bash", ["-c", script], environment: tool.environment).run()
        guard shell.exitCode == 0 else { return shell.errorText }
        let words = shell.text.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
        let commands = words.split(separator: "\u{1}")
        if commands.isEmpty { return "no program" }
        for command in commands {
            if let complaint = try await complaint(about: Array(command), tool) { return complaint }
        }
        return nil
    }

    private static func complaint(about words: [String], _ tool: Tool) async throws -> String? {
        let (program, arguments) = (words[0], Array(words.dropFirst()))
        if program == "sudo" { return try await complaint(about: arguments, tool) }
        guard programs.contains(program) else { return "\(program) is not known" }
        if program == "sallyport" {
            let output = try await tool.run(["parse"] + arguments)
            return output.exitCode == 0 ? nil : output.errorText
        }
        let isBuiltin = ["kill", "printf", "read"].contains(program)
        // What is not installed here, such as Snap, is only known by name.
        guard isBuiltin || Executable.find(program) != nil else { return nil }
        let question = isBuiltin ? "help \(program)" : "\(program) --help 2>&1"
        let help = try await Command("bash", ["-c", question]).run().text
        for option in arguments.prefix(while: { $0 != "--" }) where option.hasPrefix("-") {
            let isKnown: Bool
            if program == "kill" {
                isKnown = try await Command("bash", ["-c", "kill -l \(option.dropFirst())"]).run().exitCode == 0
            } else if option.hasPrefix("--") {
                isKnown = help.contains(option.prefix { $0 != "=" })
            } else {
                isKnown = option.dropFirst().allSatisfy { help.contains("-\($0)") }
            }
            guard isKnown else { return "\(program) has no option \(option)" }
        }
        return nil
    }
}
