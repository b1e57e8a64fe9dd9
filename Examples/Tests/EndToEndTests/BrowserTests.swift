// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

extension KeyringSuite {
    @Suite("The browser's environment")
    struct BrowserTests {
        /// A browser runs much foreign code, and all of it can read its environment.
        @Test func `the browser gets only the environment variables that browsers need`() async throws {
            try await Stage.run { stage in
                var stage = stage
                let seen = stage.folder.url.appending(path: "environment")
                let own = [
                    "SALLYPORT_API_KEY": "key-of-the-app", "SALLYPORT_PASSPHRASE": "open-sesame",
                    "AWS_SECRET_ACCESS_KEY": "key-of-another",
                ]
                stage.tool.environment.merge(own) { _, new in new }
                stage.tool.environment["BROWSER"] = try stage.browser(thatFirst: "env >'\(seen.path())'")
                let login = try await stage.appleLogin()
                #expect(login.exitCode == 0, "\(login.errorText)")
                let text = try String(contentsOf: seen, encoding: .utf8)
                #expect(text.contains("HOME=\(stage.keyring.home.path)\n"))
                for name in own.keys { #expect(!text.contains(name)) }
                for secret in own.values { #expect(!text.contains(secret)) }
            }
        }

        /// Child processes inherit blocked and ignored signals: the browser could not be terminated, nor be told of its
        /// own children.
        @Test func `the browser inherits neither blocked nor ignored signals`() async throws {
            try await Stage.run { stage in
                var stage = stage
                let seen = stage.folder.url.appending(path: "signals")
                let note = "grep -E '^Sig(Blk|Ign)' /proc/self/status >'\(seen.path())'"
                stage.tool.environment["BROWSER"] = try stage.browser(thatFirst: note)
                let login = try await stage.appleLogin()
                #expect(login.exitCode == 0, "\(login.errorText)")
                let lines = try String(contentsOf: seen, encoding: .utf8).split(separator: "\n")
                let sets = try lines.map { try #require(UInt64($0.suffix(16), radix: 16)) }
                let (blocked, ignored) = (try #require(sets.first), try #require(sets.last))
                #expect(blocked == 0)
                // A shell makes background jobs ignore the keyboard's two signals.
                for signal in [SIGHUP, SIGPIPE, SIGTERM, SIGTSTP, SIGCHLD] {
                    #expect(ignored & 1 << UInt64(signal - 1) == 0, "\(signal)")
                }
            }
        }

        /// A browser that stays open would keep the listener's port, and could read the tool's traffic with the
        /// provider.
        @Test func `the browser does not inherit the tool's connections`() async throws {
            try await Stage.run { stage in
                var stage = stage
                let seen = stage.folder.url.appending(path: "descriptors")
                stage.tool.environment["BROWSER"] = try stage.browser(thatFirst: "ls -l /proc/$$/fd >'\(seen.path())'")
                let login = try await stage.appleLogin()
                #expect(login.exitCode == 0, "\(login.errorText)")
                let text = try String(contentsOf: seen, encoding: .utf8)
                #expect(text.contains("/dev/null"))
                #expect(!text.contains("socket:"))
                #expect(!text.contains("eventpoll"))
            }
        }
    }
}
