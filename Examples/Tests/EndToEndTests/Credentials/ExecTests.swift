// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

extension KeyringSuite {
    @Suite("A command that the tool runs with the token")
    struct ExecTests {
        private func signedIn(_ test: (Stage) async throws -> Void) async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                try await test(stage)
            }
        }

        /// Runs a line of shell with the token.
        private func shell(_ stage: Stage, _ line: String, _ options: [String] = []) async throws -> Command.Output {
            try await stage.tool.run(["exec"] + options + ["--", "sh", "-c", line])
        }

        @Test func `a command gets the token in its environment, and none of the tool's secrets`() async throws {
            try await signedIn { stage in
                var stage = stage
                let token = try await stage.tool("token").text
                stage.tool.environment["SALLYPORT_PASSPHRASE"] = "a passphrase for tests"
                stage.tool.environment["SALLYPORT_API_KEY"] = "a-key-for-tests"
                stage.tool.environment["SALLYPORT_TOKEN"] = "an older token"
                stage.tool.environment["SALLYPORT_PROFILE"] = "default"
                let output = try await shell(stage, #"printf '%s\n' "$SALLYPORT_TOKEN"; env | grep -c ^SALLYPORT_"#)
                #expect(output.exitCode == 0, "\(output.errorText)")
                #expect(output.text == "\(token)2\n")
                #expect(output.errorText.isEmpty)
                let parent = #"tr '\0' '\n' </proc/$PPID/environ | grep -c -e passphrase -e a-key-for-tests"#
                #expect(try await shell(stage, parent).text == "0\n")
                let named = try await shell(stage, #"printf '%s\n' "$API_TOKEN""#, ["--env", "API_TOKEN"])
                #expect(named.text == token)
            }
        }

        @Test func `a secret that the tool's environment holds several times is erased each time`() async throws {
            try await signedIn { stage in
                // Shells and dictionaries keep one variable of a name.
                let program = """
                    import ctypes, os, sys
                    def array(texts): return (ctypes.c_char_p * (len(texts) + 1))(*map(os.fsencode, texts))
                    pairs = [f"{name}={value}" for name, value in os.environ.items()]
                    for name in "SALLYPORT_PASSPHRASE", "SALLYPORT_API_KEY":
                        pairs += [f"{name}=the-first", f"{name}=the-second"]
                    ctypes.CDLL(None).execve(os.fsencode(sys.argv[1]), array(sys.argv[1:]), array(pairs))
                    """
                let line = """
                    tr '\\0' '\\n' </proc/$PPID/environ | grep -c -e ^SALLYPORT_PASSPHRASE= -e ^SALLYPORT_API_KEY=
                    tr '\\0' '\\n' </proc/$PPID/environ | grep -c -e the-first -e the-second
                    """
                let tool = try Executable.besideTests("sallyport").path
                let words = ["-c", program, tool, "exec", "--", "sh", "-c", line]
                let output = try await Command("python3", words, environment: stage.tool.environment).run()
                #expect(output.text == "4\n0\n", "\(output.errorText)")
            }
        }

        @Test func `a signal that the tool's parent ignores stays ignored in the command`() async throws {
            try await signedIn { stage in
                let line = "trap '' INT; exec \"$0\" exec -- sh -c 'kill -INT $$; echo alive'"
                let output = try await Command(
                    "/bin/sh",
                    ["-c", line, Executable.besideTests("sallyport").path],
                    environment: stage.tool.environment
                ).run()
                #expect(output.text == "alive\n", "\(output.errorText)")
            }
        }

        @Test(
            arguments: [
                (["sh", "-c", "exit 42"], 42), (["sh", "-c", "kill -TERM $$"], 143),
                (["sh", "-c", "kill -KILL $$"], 137),
                (["no-such-command"], 127), (["/no/such/command"], 127), ([""], 127), (["/tmp"], 126),
                (["sh", "-c", "shift; exit $#", "sh", "--", "--profile", "x"], 2),
            ] as [([String], Int32)]
        )
        func `the tool ends as the command does`(words: [String], exitCode: Int32) async throws {
            try await signedIn { stage in
                let output = try await stage.tool.run(["exec", "--"] + words)
                #expect(output.exitCode == exitCode, "\(output.errorText)")
                #expect(output.text.isEmpty)
                #expect(output.notes.count == ([126, 127].contains(exitCode) ? 2 : 0), "\(output.errorText)")
            }
        }

        @Test func `a script without an interpreter is run by the shell, and one with a missing one is not`()
            async throws
        {
            try await signedIn { stage in
                let script = stage.folder.url.appending(path: "script")
                for (text, exitCode) in [("exit 3\n", 3), ("#!/no/such/interpreter\n", 126)] as [(String, Int32)] {
                    try Data(text.utf8).write(to: script)
                    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script.path())
                    #expect(try await stage.tool("exec", "--", script.path()).exitCode == exitCode)
                }
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: script.path())
                #expect(try await stage.tool("exec", "--", script.path()).exitCode == 126)
            }
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGUSR1])
        func `a signal reaches the command, which decides`(signal: Int32) async throws {
            try await signedIn { stage in
                let line = "trap 'exit 9' INT TERM HUP USR1; echo ready >&2; while :; do sleep 0.05; done"
                let process = try stage.tool.start("exec", "--", "sh", "-c", line)
                _ = try await process.read(until: "ready")
                process.send(signal)
                #expect(await process.waitUntilExit(timeout: .seconds(30)) == 9)
            }
        }

        @Test func `a command inherits no descriptor of the tool's, and the parent's ones`() async throws {
            try await signedIn { stage in
                let tool = try Executable.besideTests("sallyport").path
                // `ls` has the folder that it lists open, as 3 or as the first free number.
                let line = "exec 9</dev/null; '\(tool)' exec -- ls /proc/self/fd"
                let output = try await Command("sh", ["-c", line], environment: stage.tool.environment).run()
                #expect(output.text == "0\n1\n2\n3\n9\n", "\(output.errorText)")
            }
        }

        @Test func `a command is not started without a token`() async throws {
            try await Stage.run { stage in
                let file = stage.folder.url.appending(path: "started")
                let signedOut = try await stage.tool("exec", "--", "touch", file.path())
                #expect(signedOut.exitCode == 3)
                #expect(signedOut.notes.count == 2)
                try await stage.signedIn()
                try await stage.keyring.lock()
                #expect(try await stage.tool("exec", "--", "touch", file.path()).exitCode == 5)
                #expect(!FileManager.default.fileExists(atPath: file.path()))
            }
        }

        @Test(arguments: [
            ["exec"], ["exec", "--"], ["exec", "ls"], ["exec", "--env", "", "--", "ls"],
            ["exec", "--env", "1A", "--", "ls"],
            ["exec", "--env", "A=B", "--", "ls"], ["exec", "--env", "Ä", "--", "ls"],
        ])
        func `wrong arguments are refused`(arguments: [String]) async throws {
            try await Stage.run { stage in
                let output = try await stage.tool.run(arguments)
                #expect(output.exitCode == 2, "\(output.errorText)")
                #expect(output.text.isEmpty)
            }
        }
    }
}
