// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The man page of the tool or of one command, as mdoc.
struct ManualPage: Sendable {
    /// The words that call the command: `sallyport`, or `sallyport login`.
    let words: [String]
    let help: CommandHelp
    /// The lines of the synopsis, each with the words that call the command.
    let usage: [String]
    let date: Date
    /// The names of the pages to refer to.
    let related: [String]

    /// The name of the page: `sallyport-login`.
    var name: String { words.joined(separator: "-") }

    var text: String { (head + description + end).joined(separator: "\n") + "\n" }

    private var head: [String] {
        let abstract = help.abstract ?? ""
        return [
            #".\" Written by: sallyport manual"#,
            ".Dd \(Mdoc.date(date))",
            ".Dt \(name.uppercased()) 1",
            ".Os",
            ".Sh NAME",
            ".Nm \(name)",
            // Without the full stop, as the whatis database wants it.
            ".Nd \(Mdoc.escaped(abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract))",
            ".Sh SYNOPSIS",
        ] + usage.flatMap { synopsis($0) }
    }

    private func synopsis(_ line: String) -> [String] {
        let called = words.joined(separator: " ")
        let rest = line.hasPrefix(called) ? line.dropFirst(called.count).drop { $0 == " " } : line[...]
        return [".Nm \(called)"] + (rest.isEmpty ? [] : [Mdoc.line(String(rest))])
    }

    private var description: [String] {
        let discussion = Example.split(help.discussion ?? "").text
        // The abstract is the description of a command without a discussion.
        let paragraphs = (discussion.isEmpty ? help.abstract ?? "" : discussion).split(separator: "\n\n")
        let text = paragraphs.enumerated().flatMap { number, paragraph -> [String] in
            // Indented lines are for a shell.
            if paragraph.hasPrefix("  ") {
                return Mdoc.literal(paragraph.split(separator: "\n").map { $0.dropFirst(2) })
            }
            return (number == 0 ? [] : [".Pp"]) + Mdoc.prose(String(paragraph))
        }
        return [".Sh DESCRIPTION"] + text + commands + arguments
    }

    private var commands: [String] {
        let commands = help.shownSubcommands
        guard !commands.isEmpty else { return [] }
        return [".Ss Commands"]
            + Mdoc.list(commands.map { ("Ic \(Mdoc.escaped($0.commandName))", Mdoc.prose($0.abstract ?? "")) })
    }

    private var arguments: [String] {
        let arguments = (help.arguments ?? []).filter(\.shouldDisplay)
        var titles = arguments.map(\.title).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        // As the help has it: first the arguments, last the options without a topic.
        let topics = titles.filter { !["Arguments", "Options"].contains($0) }
        titles = titles.filter { $0 == "Arguments" } + topics + titles.filter { $0 == "Options" }
        return titles.flatMap { title in
            [".Ss \(Mdoc.escaped(title))"]
                + Mdoc.list(arguments.filter { $0.title == title }.map { ($0.mdoc, Mdoc.prose($0.description)) })
        }
    }

    private var end: [String] {
        var lines: [String] = []
        if words.count == 1 {
            let variables = EnvironmentVariable.all.map { ("Ev \($0.name)", Mdoc.prose($0.meaning)) }
            lines += [".Sh ENVIRONMENT"] + Mdoc.list(variables)
        }
        let codes = ExitStatus.meanings.map { ("\($0.status.code)", Mdoc.prose($0.meaning)) }
        lines += [".Sh EXIT STATUS"] + Mdoc.list(codes)
        let examples = Example.split(help.discussion ?? "").lines
        if !examples.isEmpty {
            lines += [".Sh EXAMPLES"] + Mdoc.literal(examples.map { $0[...] })
        }
        let references = related.sorted().map { ".Xr \($0) 1" }
        return lines + [".Sh SEE ALSO"] + references.dropLast().map { "\($0) ," } + references.suffix(1)
    }
}

extension OptionHelp {
    /// The names and the value as the head of an item in a list.
    fileprivate var mdoc: String {
        let value = valueName.map { "Ar \(Mdoc.escaped($0))\(isRepeating ? " ..." : "")" }
        guard kind != .positional else { return value ?? "" }
        // The macro writes one hyphen.
        let flags = (names ?? []).map { "Fl \($0.kind == "long" ? #"\-"# : "")\(Mdoc.escaped($0.name))" }
        return [flags.joined(separator: " , "), kind == .option ? value : nil].compactMap(\.self).joined(separator: " ")
    }
}
