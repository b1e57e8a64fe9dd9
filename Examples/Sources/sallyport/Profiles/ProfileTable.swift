// SPDX-License-Identifier: Apache-2.0

/// The list of profiles for a user, as columns.
enum ProfileTable {
    /// Returns one line for each profile, below a line with the names of the columns.
    static func text(_ entries: [ProfileEntry]) -> String {
        let rows =
            [["NAME", "USER", "SERVER", "STORE", "STATE"]]
            + entries.map { entry in
                [entry.name, entry.user, entry.server, entry.store, entry.state.rawValue].map(shown)
            }
        let widths = (0..<5).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
        .joined(separator: "\n")
    }

    /// Returns a cell; a server chose some of the texts.
    private static func shown(_ text: String?) -> String {
        text.flatMap { Terminal.shown($0, limit: 80) } ?? "-"
    }
}
