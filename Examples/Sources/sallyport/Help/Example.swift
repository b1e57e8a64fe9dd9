// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// An example in the help of a command.
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

    /// Returns a discussion with a section of examples at its end.
    static func section(_ examples: [Example], after discussion: String) -> String {
        let lines = examples.map { "  # \($0.purpose)\n  \($0.line)" }
        let section = (["EXAMPLES:"] + lines).joined(separator: "\n")
        return discussion.isEmpty ? section : "\(discussion)\n\n\(section)"
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
