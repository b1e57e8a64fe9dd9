// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoundationEssentials

/// `sallyport manual`: writes the man pages, for a package of the tool.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Write the man pages to a folder.",
        shouldDisplay: false
    )

    @Argument(help: "The folder, which must exist.", completion: .directory)
    var folder: String

    func run() throws {
        let date = try Self.date()
        let root = try CommandHelp.read(Sallyport._dumpHelp())
        let commands = root.shownSubcommands
        let pages = commands.map { "sallyport-\($0.commandName)" }
        try write(
            ManualPage(words: ["sallyport"], help: root, usage: ["sallyport COMMAND"], date: date, related: pages)
        )
        for help in commands {
            let usage = Self.usage(of: help.commandName)
            try write(
                ManualPage(
                    words: ["sallyport", help.commandName],
                    help: help,
                    usage: usage,
                    date: date,
                    related: ["sallyport"]
                )
            )
        }
    }

    private func write(_ page: ManualPage) throws {
        let file = URL(filePath: folder).appending(path: "\(page.name).1")
        do {
            try Data(page.text.utf8).write(to: file)
        } catch {
            throw Failure(.failed, "The file \(file.path) can't be written.", "Create the folder first.")
        }
    }

    private static func usage(of command: String) -> [String] {
        let types = Sallyport.configuration.subcommands
        guard let type = types.first(where: { $0.configuration.commandName == command }) else { return [] }
        return Sallyport.usageString(for: type).split(separator: "\n").map(String.init)
    }

    /// The date of the pages: `SOURCE_DATE_EPOCH`, so that a package can be built again with the same content, or now.
    ///
    /// [The specification](https://reproducible-builds.org/specs/source-date-epoch/).
    private static func date() throws -> Date {
        guard let text = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"] else { return Date() }
        guard let seconds = Int(text), (0...253_402_300_799).contains(seconds) else {
            throw Failure(.wrongArguments, "SOURCE_DATE_EPOCH is not a number of seconds.", "Unset it.")
        }
        return Date(timeIntervalSince1970: Double(seconds))
    }
}
