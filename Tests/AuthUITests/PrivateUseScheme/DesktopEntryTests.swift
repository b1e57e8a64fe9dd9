// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import SecureStore
import Testing

@testable import AuthUI

@Suite struct DesktopEntryTests {
    private func line(
        _ key: String,
        name: String = "Recipe",
        command: [String] = ["/opt/recipe"]
    ) throws -> Substring? {
        let entry = try DesktopEntry(name: name, command: command, mimeType: "x-scheme-handler/com.example.recipe")
        return entry.text.split(separator: "\n").first { $0.hasPrefix("\(key)=") }?.dropFirst(key.count + 1)
    }

    @Test func `the entry names the program, the address and the type, and stays out of menus`() throws {
        let entry = try DesktopEntry(
            name: "Recipe",
            command: ["/opt/recipe", "callback"],
            mimeType: "x-scheme-handler/com.example.recipe"
        )
        #expect(
            entry.text == """
                [Desktop Entry]
                Type=Application
                Name=Recipe
                Exec=/opt/recipe callback %u
                NoDisplay=true
                Terminal=false
                StartupNotify=false
                MimeType=x-scheme-handler/com.example.recipe;

                """
        )
    }

    @Test(arguments: [
        ("/opt/my app", #""/opt/my app""#), ("/opt/50%", "/opt/50%%"), ("/opt/a$b", #""/opt/a\\$b""#),
        ("/opt/a\"b", #""/opt/a\\"b""#), (#"/opt/a\b"#, #""/opt/a\\\\b""#), ("/opt/a;b", #""/opt/a;b""#),
        ("/opt/ä", "/opt/ä"),
    ])
    func `an argument is quoted only if it must be`(argument: String, written: String) throws {
        #expect(try line("Exec", command: ["/opt/recipe", argument]) == "/opt/recipe \(written) %u")
    }

    @Test(arguments: [
        ("/opt/a \u{301}b", "\"/opt/a \u{301}b\""), ("/opt/50%\u{301}", "/opt/50%%\u{301}"),
        ("/opt/a$\u{301}", #""/opt/a\\$\#u{301}""#), ("/opt/a\"\u{301}", #""/opt/a\\"\#u{301}""#),
        ("/opt/a`\u{301}", #""/opt/a\\`\#u{301}""#), ("/opt/a\\\u{301}", #""/opt/a\\\\\#u{301}""#),
        ("/opt/a;\u{301}", #""/opt/a;\#u{301}""#),
    ])
    func `a combining mark hides no character that must be quoted`(argument: String, written: String) throws {
        #expect(try line("Exec", command: ["/opt/recipe", argument]) == "/opt/recipe \(written) %u")
    }

    @Test func `a combining mark hides no backslash of a name, and no space at its start`() throws {
        #expect(try line("Name", name: " \u{301}A\\\u{301}") == "\\s\u{301}A\\\\\u{301}")
    }

    @Test func `a name's backslashes and its first space are escaped`() throws {
        #expect(try line("Name", name: #" A\nB"#) == #"\sA\\nB"#)
    }

    @Test(arguments: ["recipe", "./recipe", "/opt/a=b", "/opt/a=\u{301}", "/opt/a\nExec=evil", ""])
    func `a program that an entry can't name is refused`(program: String) {
        let error = #expect(throws: SecureStoreError.self) { try line("Exec", command: [program]) }
        #expect(error?.code == .invalidName)
    }

    @Test(arguments: ["", "A\nExec=evil", "A\u{7F}"])
    func `a name that would end its line is refused`(name: String) {
        let error = #expect(throws: SecureStoreError.self) { try line("Name", name: name) }
        #expect(error?.code == .invalidName)
    }
}
#endif
