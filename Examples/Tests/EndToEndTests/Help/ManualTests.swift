// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

@Suite("The man pages")
struct ManualTests {
    @Test func `the tool writes a man page for itself and one for each command`() async throws {
        try await HelpStage.run { stage in
            let output = try await stage.tool("manual", stage.folder.url.path())
            #expect(output.exitCode == 0, "\(output.errorText)")
            let names = try await ["sallyport.1"] + stage.commands().map { "sallyport-\($0).1" }
            for name in names {
                let page = try Self.page(name, of: stage)
                for part in [".Sh NAME", ".Sh SYNOPSIS", ".Sh EXIT STATUS", ".Sh EXAMPLES", ".Sh SEE ALSO"] {
                    #expect(page.contains("\n\(part)\n"), "\(name): \(part)")
                }
            }
            let login = try Self.page("sallyport-login.1", of: stage)
            #expect(login.contains("\n.Ss Common options\n"))
            #expect(login.split(separator: "\n").contains(#".It Fl \-client\-id Ar id"#))
        }
    }

    @Test(.enabled(if: Executable.find("mandoc") != nil, "needs mandoc"))
    func `mandoc finds no fault in the man pages`() async throws {
        try await HelpStage.run { stage in
            #expect(try await stage.tool("manual", stage.folder.url.path()).exitCode == 0)
            let files = try FileManager.default.contentsOfDirectory(atPath: stage.folder.url.path())
            let pages = files.filter { $0.hasSuffix(".1") }.map { stage.folder.url.appending(path: $0).path() }
            try #require(pages.count > 10)
            let lint = try await Command("mandoc", ["-T", "lint", "-W", "warning"] + pages).run()
            #expect(lint.exitCode == 0)
            #expect(lint.text.isEmpty, "\(lint.text)")
        }
    }

    @Test func `the man pages have the date of SOURCE_DATE_EPOCH`() async throws {
        try await HelpStage.run { stage in
            var tool = stage.tool
            tool.environment["SOURCE_DATE_EPOCH"] = "1795478400"
            let written = try await tool("manual", stage.folder.url.path())
            #expect(written.exitCode == 0)
            let page = try Self.page("sallyport.1", of: stage)
            #expect(page.contains("\n.Dd November 24, 2026\n"))
            tool.environment["SOURCE_DATE_EPOCH"] = "soon"
            let refused = try await tool("manual", stage.folder.url.path())
            #expect(refused.exitCode == 2)
        }
    }

    @Test func `a folder that is missing is named, with exit code 1`() async throws {
        try await HelpStage.run { stage in
            let output = try await stage.tool("manual", stage.folder.url.appending(path: "missing").path())
            #expect(output.exitCode == 1)
            #expect(output.notes.last == "Create the folder first.")
        }
    }

    private static func page(_ name: String, of stage: HelpStage) throws -> String {
        try String(contentsOf: stage.folder.url.appending(path: name), encoding: .utf8)
    }
}
