// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import OpenIDConnect

/// The browser process, and the part of this process's environment that it gets.
@Suite struct SystemBrowserTests {
    @Test func `the browser gets the URL and its variables, but no secret of the app`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let (script, seen) = (folder.url.appendingPathComponent("browser"), folder.url.appendingPathComponent("seen"))
        // Moved, so that the file appears only once it is complete.
        let lines = "{ env; echo \"address=$1\"; } >'\(seen.path)~'\nmv '\(seen.path)~' '\(seen.path)'\n"
        try Data(lines.utf8).write(to: script)
        let environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "BROWSER": "env FOR_THE_BROWSER=yes sh \(script.path)", "DISPLAY": ":7", "LC_ALL": "C.UTF-8",
            "OPENAI_API_KEY": "sk-secret", "MY_APP_PASSPHRASE": "open-sesame", "LD_LIBRARY_PATH": "/opt/app/lib",
        ]
        #expect(SystemBrowser.open("https://id.example.com/?a=b&c='d'", in: environment))
        try await waitUntil("the browser has written its file") { FileManager.default.fileExists(atPath: seen.path) }
        let text = try String(contentsOf: seen, encoding: .utf8)
        for line in [
            "DISPLAY=:7", "LC_ALL=C.UTF-8", "FOR_THE_BROWSER=yes", "address=https://id.example.com/?a=b&c='d'",
        ] {
            #expect(text.contains("\(line)\n"), "\(text)")
        }
        for secret in ["OPENAI", "sk-secret", "PASSPHRASE", "open-sesame", "LD_LIBRARY_PATH"] {
            #expect(!text.contains(secret))
        }
    }

    /// As the desktop reads `BROWSER`; ADDRESS stands for the URL, and QUOTED for what a shell may have between quotes.
    @Test(arguments: [
        ("/nonexistent/browser -x:no-such-browser:sh SCRIPT", ["ADDRESS"]),
        ("::sh SCRIPT --new-window:false", ["--new-window", "ADDRESS"]),
        ("sh SCRIPT --app=%s 'a window' %s", ["--app=QUOTED", "a window", "ADDRESS"]),
        (#"sh SCRIPT "a:b" c\ d\:e '' "f\"g\h" 'i\j'"#, ["a:b", "c d:e", "", #"f"g\h"#, #"i\j"#, "ADDRESS"]),
    ])
    func `BROWSER names alternatives, with quotes and a place for the URL`(
        browser: String,
        expected: [String]
    ) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let (script, seen) = (folder.url.appendingPathComponent("browser"), folder.url.appendingPathComponent("seen"))
        let lines = "for word; do printf '%s\\n' \"$word\"; done >'\(seen.path)~'\nmv '\(seen.path)~' '\(seen.path)'\n"
        try Data(lines.utf8).write(to: script)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let environment = ["PATH": path, "BROWSER": browser.replacing("SCRIPT", with: script.path)]
        let url = "https://id.example.com/?a=b&c='d'$(e)"
        #expect(SystemBrowser.open(url, in: environment))
        try await waitUntil("the browser has written its file") { FileManager.default.fileExists(atPath: seen.path) }
        let words = try String(contentsOf: seen, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        #expect(
            words.dropLast().map(String.init)
                == expected.map { word in
                    word.replacing("ADDRESS", with: url)
                        .replacing("QUOTED", with: "https://id.example.com/?a=b&c=%27d%27%24(e)")
                }
        )
    }

    @Test(arguments: [nil, "no-such-browser:/nonexistent/browser %s", ":"])
    func `nothing is opened if there is no browser program`(browser: String?) {
        var environment = ["PATH": "/nonexistent"]
        environment["BROWSER"] = browser
        #expect(!SystemBrowser.open("https://id.example.com/", in: environment))
    }
}
#endif
