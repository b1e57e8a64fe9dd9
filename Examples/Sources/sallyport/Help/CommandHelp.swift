// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The help of a command as data, which the argument parser gives as JSON.
struct CommandHelp: Decodable, Sendable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool?
    let subcommands: [CommandHelp]?
    let arguments: [OptionHelp]?

    /// Reads the parser's JSON.
    ///
    /// - Parameter json: The JSON of the whole tool.
    /// - Returns: The root command.
    /// - Throws: ``Failure`` if the JSON has another form: its version is then not the one that is known here.
    static func read(_ json: String) throws -> CommandHelp {
        struct Tool: Decodable {
            let serializationVersion: Int
            let command: CommandHelp
        }
        guard let tool = try? JSONDecoder().decode(Tool.self, from: Data(json.utf8)), tool.serializationVersion == 0
        else {
            throw Failure(.failed, "The argument parser's own help can't be read.", "Report this.")
        }
        return tool.command
    }

    /// The subcommands that the help lists, without `help` itself.
    var shownSubcommands: [CommandHelp] {
        (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
    }
}

/// An option, a flag or a positional argument in the help.
struct OptionHelp: Decodable, Sendable {
    enum Kind: String, Decodable {
        case positional
        case option
        case flag
    }

    struct Name: Decodable {
        let kind: String
        let name: String
    }

    let kind: Kind
    let shouldDisplay: Bool
    let sectionTitle: String?
    let isRepeating: Bool
    let names: [Name]?
    let valueName: String?
    let defaultValue: String?
    let allValues: [String]?
    let abstract: String?

    /// The title of the group that the help shows the argument in.
    var title: String { sectionTitle ?? (kind == .positional ? "Arguments" : "Options") }

    /// The description, with the values and the default.
    var description: String {
        let values = allValues.map { "values: " + $0.joined(separator: ", ") }
        let known = [values, defaultValue.map { "default: \($0)" }].compactMap(\.self).joined(separator: "; ")
        return [abstract ?? "", known.isEmpty ? "" : "(\(known))"].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
