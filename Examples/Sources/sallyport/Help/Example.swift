// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// An example in the help and in the man page of a command.
struct Example: Sendable {
    /// The purpose, in a few words.
    let purpose: String
    /// The command line, as the user types it.
    let line: String

    /// Creates an example.
    ///
    /// - Parameters:
    ///   - purpose: The purpose, in a few words.
    ///   - line: The command line in the syntax of a POSIX shell, without the first word `sallyport`.
    init(_ purpose: String, _ line: String) {
        self.purpose = purpose
        self.line = "sallyport \(line)"
    }

    /// The heading of the section of examples.
    static let heading = "EXAMPLES:"

    /// Returns a discussion with a section of examples at its end.
    static func section(_ examples: [Example], after discussion: String) -> String {
        let lines = examples.map { "  # \($0.purpose)\n  \($0.line)" }
        return ([discussion] + [([heading] + lines).joined(separator: "\n")]).filter { !$0.isEmpty }
            .joined(separator: "\n\n")
    }

    /// Returns the text before the section of examples, and the lines of the section without their indentation.
    static func split(_ discussion: String) -> (text: String, lines: [String]) {
        let lines = discussion.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let start = lines.firstIndex(of: heading) else { return (discussion, []) }
        let text = lines[..<start].joined(separator: "\n")
        return (text, lines[(start + 1)...].map { String($0.drop { $0 == " " }) })
    }
}

extension CommandConfiguration {
    /// Creates the configuration of a command whose help ends with examples.
    init(
        commandName: String,
        abstract: String,
        usage: String? = nil,
        discussion: String = "",
        examples: [Example]
    ) {
        self.init(
            commandName: commandName,
            abstract: abstract,
            usage: usage,
            discussion: Example.section(examples, after: discussion)
        )
    }
}
