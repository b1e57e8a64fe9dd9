// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

extension KeyringSuite {
    @Suite("The doctor")
    struct DoctorTests {
        @Test func `the doctor names a working keyring and ends with exit code 0`() async throws {
            try await Stage.run { stage in
                let doctor = try await stage.tool("doctor")
                #expect(doctor.exitCode == 0)
                #expect(doctor.text.contains("ok  Keyring     Can be used: gnome-keyring-daemon"))
                #expect(doctor.text.contains("ok  Browser"))
                #expect(doctor.errorText.isEmpty)
                #expect(try await stage.stored().isEmpty)
            }
        }

        @Test func `the doctor names each keyring problem and its remedy, and ends with exit code 5`() async throws {
            try await Stage.run { stage in
                try await stage.keyring.lock()
                try await expect("The keyring is locked.", "gnome-keyring-daemon --replace --unlock", from: stage.tool)
                try await stage.keyring.kill()
                try await expect("No keyring service runs", "gnome-keyring-daemon --replace --unlock", from: stage.tool)
                try await stage.keyring.start(.withoutCollection)
                stage.keyring.pause()
                try await expect(
                    "The store did not respond in time.",
                    "kill -KILL ",
                    from: stage.tool
                )
                stage.keyring.resume()
                var tool = stage.tool
                tool.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
                try await expect("There is no session bus", "dbus-run-session", from: tool)
            }
            try await Stage.run(.withoutCollection) { stage in
                try await expect("has no default keyring", "gnome-keyring-daemon --replace --unlock", from: stage.tool)
            }
            try await Stage.run(.inClear) { stage in
                let doctor = try await stage.tool("doctor")
                #expect(doctor.exitCode == 0)
                #expect(doctor.text.contains("The keyring has no password"))
            }
        }

        @Test func `the doctor's report begins with what it holds, and names the tool and the system`() async throws {
            try await Stage.run { stage in
                let version = try await stage.tool("--version").text.split(separator: "\n").joined()
                let lines = try await stage.tool("doctor").text.split(separator: "\n").map(String.init)
                #expect(lines.first?.hasPrefix("You can paste this report into an issue: ") == true)
                #expect(lines.dropFirst().first?.hasPrefix("ok  Tool        sallyport \(version), ") == true)
                #expect(lines.contains("ok  Lock        Free: no other process refreshes the session."))
                #expect(lines.contains("ok  Folders     Only you can use the tool's folders."))
                #expect(lines.contains("ok  Session     Not signed in, profile default."))
            }
        }

        @Test func `the doctor shows the session without its user, its server, its tokens and the home folder`()
            async throws
        {
            try await Stage.run { stage in
                try await stage.signedIn()
                let token = try await stage.tool("token").text.dropLast()
                let record = try await stage.secret(key: "session")
                let refreshToken = String(try #require(record.firstMatch(of: #/"refreshToken":"([^"]+)"/#)).1)
                for more in [[], ["--json"], ["--verbose"]] {
                    let doctor = try await stage.tool.run(["doctor"] + more)
                    #expect(doctor.exitCode == 0)
                    #expect(doctor.text.contains("Signed in, profile default, keyring, tokenPair; access token until "))
                    let home = try #require(stage.tool.environment["HOME"])
                    let secrets = [
                        String(token), refreshToken, Stage.email, "Ada", stage.url, ":\(stage.backend.port)", home,
                    ]
                    for secret in secrets {
                        #expect(!(doctor.text + doctor.errorText).contains(secret), "\(secret)")
                    }
                }
            }
        }

        @Test func `the doctor shows ~ in place of the home folder also if a path is quoted`() async throws {
            try await Stage.run { stage in
                var stage = stage
                stage.tool.environment["SALLYPORT_PASSPHRASE"] = "a passphrase for tests"
                try await stage.signedIn("--store", "file")
                let home = try #require(stage.tool.environment["HOME"])
                let data = URL(fileURLWithPath: try #require(stage.tool.environment["XDG_DATA_HOME"]))
                let files = try FileManager.default.subpathsOfDirectory(atPath: data.path)
                let name = try #require(files.first { $0.hasSuffix(".sallyport") })
                try Data("short".utf8).write(to: data.appending(path: name))
                for more in [[], ["--json"]] {
                    let doctor = try await stage.tool.run(["doctor", "--store", "file"] + more)
                    #expect(doctor.text.contains("mv -- ~"), "\(doctor.text)")
                    if more.isEmpty { try await expectValidCommand(in: doctor, stage.tool) }
                    #expect(!(doctor.text + doctor.errorText).contains(home), "\(doctor.text)")
                }
            }
        }

        @Test func `the doctor shows neither the command in BROWSER nor an address in a server's error code`()
            async throws
        {
            try await Stage.run { stage in
                try await stage.signedIn()
                let record = try await stage.secret(key: "session")
                let refusal = #""refreshRefusal":{"code":"\#(Stage.email)","since":1700000000}"#
                try #require(record.hasPrefix("{") && !record.contains("refreshRefusal"))
                try await stage.store("{\(refusal),\(record.dropFirst())")
                var tool = stage.tool
                tool.environment["BROWSER"] = "\(Tool.browser) --key=open-sesame"
                for more in [[], ["--json"]] {
                    let doctor = try await tool.run(["doctor"] + more)
                    #expect(doctor.text.contains("The server refuses the refresh (another code) since "))
                    #expect(doctor.text.contains("Addresses are opened with the command in BROWSER."))
                    for text in [Stage.email, "open-sesame"] {
                        #expect(!(doctor.text + doctor.errorText).contains(text), "\(text)")
                    }
                }
            }
        }

        @Test(
            .enabled(
                if: MisbehavingProvider.isAvailable,
                "needs Python's cryptography and curl; Tests/run installs them"
            )
        )
        func `the doctor does not name a server that only the provider named`() async throws {
            try await OpenIDStage.run { stage in
                try await stage.provider.misbehave("discovery-authorization-elsewhere")
                for more in [[], ["--json"]] {
                    let arguments = ["doctor", "--issuer", stage.provider.issuer, "--store", "memory"]
                    let doctor = try await stage.tool.run(arguments + more)
                    #expect(doctor.text.contains("Found; users sign in at another server."))
                    #expect(!(doctor.text + doctor.errorText).contains(stage.provider.other))
                }
            }
        }

        @Test(
            .enabled(
                if: MisbehavingProvider.isAvailable,
                "needs Python's cryptography and curl; Tests/run installs them"
            )
        )
        func `the doctor names an issuer that differs, and finds one in its document's address`() async throws {
            try await OpenIDStage.run { stage in
                let issuer = stage.provider.issuer
                let pasted = issuer + "/.well-known/openid-configuration"
                let found = try await stage.tool("doctor", "--issuer", pasted, "--store", "memory")
                #expect(found.text.contains("Found; users sign in at \(issuer)/"))
                #expect(found.errorText.contains("The address is that of a document, whose issuer is \(issuer)."))
                try await stage.provider.misbehave("discovery-issuer-trailing-slash")
                let other = try await stage.tool("doctor", "--issuer", issuer, "--store", "memory")
                #expect(other.text.contains("document of \(issuer) names another issuer: \(issuer)/."))
                #expect(other.text.contains("If that is the provider that you mean, use --issuer \(issuer)/"))
            }
        }

        @Test func `the doctor prints one JSON object`() async throws {
            try await Stage.run { stage in
                let doctor = try await stage.tool("doctor", "--json")
                #expect(doctor.exitCode == 0)
                let findings = try #require(doctor.object["findings"] as? [[String: Any]])
                #expect(findings.compactMap { $0["subject"] as? String }.contains("Keyring"))
                #expect(findings.allSatisfy { $0["ok"] as? Bool == true })
                #expect(doctor.object["architecture"] as? String != nil)
            }
        }

        @Test func `the doctor reports a folder that is open to other users, and ends with exit code 5`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                let home = try #require(stage.tool.environment["HOME"])
                let data = stage.tool.environment["XDG_DATA_HOME"] ?? "\(home)/.local/share"
                let folder = URL(filePath: data).appending(path: "sallyport")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path())
                let doctor = try await stage.tool("doctor")
                #expect(doctor.exitCode == 5)
                #expect(doctor.text.contains("no  Folders"))
                #expect(doctor.text.contains("chmod 700 "))
                try await expectValidCommand(in: doctor, stage.tool)
                #expect(!doctor.text.contains(home))
            }
        }

        /// As `sudo` leaves folders and files, and as a foreign folder keeps new ones from being made.
        @Test(arguments: [
            ("XDG_STATE_HOME", "sallyport/stores", ""), ("XDG_STATE_HOME", "sallyport/profiles", "/a.store"),
            ("XDG_DATA_HOME", "sallyport", ""), ("XDG_CONFIG_HOME", "sallyport", ""),
        ])
        func `the doctor and a sign-in name what belongs to another user, its owner and the remedy`(
            variable: String,
            folder: String,
            file: String
        ) async throws {
            try await Stage.run { stage in
                var stage = stage
                stage.tool.environment["SALLYPORT_PASSPHRASE"] = "a passphrase for tests"
                let home = try #require(stage.tool.environment["HOME"])
                let base = "\(home)/of-\(variable)"
                stage.tool.environment[variable] = base
                let path = "\(base)/\(folder)"
                try FileManager.default.createDirectory(
                    atPath: path,
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
                if !file.isEmpty { try Data().write(to: URL(filePath: path + file)) }
                let owner = [FileAttributeKey.ownerAccountID: 65_534]
                guard (try? FileManager.default.setAttributes(owner, ofItemAtPath: path + file)) != nil else {
                    try Test.cancel("only root can give folders away")
                }
                let doctor = try await stage.tool("doctor", "--store", "file")
                #expect(doctor.exitCode == 5)
                let place = "~/of-\(variable)/\(folder)\(file)"
                #expect(doctor.text.contains("no  Folders     \(place) belongs to the user with the ID 65534."))
                #expect(doctor.text.contains("sudo chown -R \"$(id -u)\" \(place)"), "\(doctor.text)")
                #expect(!doctor.text.contains(home), "\(doctor.text)")
                try await expectValidCommand(in: doctor, stage.tool)
                // The tool can do without its settings, and with another profile's record.
                guard variable != "XDG_CONFIG_HOME", file.isEmpty else { return }
                let login = try await stage.login("--store", "file")
                #expect(login.exitCode == 5)
                #expect(login.notes.first?.contains("\(path) belongs to the user with the ID 65534") == true)
                #expect(login.notes.last?.contains("sudo chown -R \"$(id -u)\" \(path)") == true, "\(login.errorText)")
            }
        }

        @Test func `the doctor and a sign-in say that the home folder is on a read-only file system`() async throws {
            try await Stage.run { stage in
                var environment = stage.tool.environment
                let home = try #require(environment["HOME"])
                environment["SALLYPORT_PASSPHRASE"] = "a passphrase for tests"
                for variable in ["XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] { environment[variable] = nil }
                let tool = try Executable.besideTests("sallyport").path
                let mount = "mount --bind \"$HOME\" \"$HOME\" && mount -o remount,bind,ro \"$HOME\" || exit 99"
                func run(_ arguments: String) async throws -> Command.Output {
                    let line = "\(mount); exec '\(tool)' \(arguments) --store file"
                    let words = ["--mount", "sh", "-c", line]
                    let input = Data("\(Stage.password)\n".utf8)
                    return try await Command("unshare", words, environment: environment, input: input).run()
                }
                let doctor = try await run("doctor")
                if ![5, 6].contains(doctor.exitCode) { try Test.cancel("this machine allows no mount") }
                #expect(doctor.text.contains("is on a read-only file system."), "\(doctor.text)")
                #expect(doctor.text.contains("XDG_STATE_HOME"), "\(doctor.text)")
                let login = try await run("login --backend \(stage.url) --email \(Stage.email) --password-stdin")
                #expect(login.exitCode == 5, "\(login.errorText)")
                let sentence = try #require(login.notes.first)
                #expect(sentence.contains(home) && sentence.contains("is on a read-only file system"), "\(sentence)")
                #expect(login.notes.last?.contains("XDG_STATE_HOME") == true, "\(login.errorText)")
            }
        }

        @Test(
            arguments: [(nil, "HOME is not set."), ("/nonexistent/ada", "HOME does not name a folder of yours.")]
                as [(String?, String)]
        )
        func `the doctor says that HOME names no folder of the user's, and what to set`(
            home: String?,
            sentence: String
        ) async throws {
            try await Stage.run { stage in
                var tool = stage.tool
                tool.environment["HOME"] = home
                tool.environment["XDG_STATE_HOME"] = nil
                let doctor = try await tool("doctor", "--store", "memory")
                #expect(doctor.exitCode != 0)
                #expect(doctor.text.contains("no  Folders     \(sentence)"), "\(doctor.text)")
                #expect(doctor.text.contains("Set HOME, or XDG_STATE_HOME"), "\(doctor.text)")
            }
        }

        @Test func `the doctor hides the home folder and the folders that variables name, however they are spelled`()
            async throws
        {
            try await Stage.run { stage in
                var tool = stage.tool
                let home = try #require(tool.environment["HOME"])
                let elsewhere = stage.folder.url.appending(path: "state of ada").path
                tool.environment["HOME"] = home + "/"
                tool.environment["XDG_STATE_HOME"] = elsewhere + "/"
                tool.environment["XDG_DATA_HOME"] = home
                tool.environment["SALLYPORT_PASSPHRASE"] = "a passphrase for tests"
                let stores = elsewhere + "/sallyport/stores"
                try FileManager.default.createDirectory(atPath: stores, withIntermediateDirectories: true)
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: stores)
                for more in [[], ["--json"]] {
                    let doctor = try await tool.run(["doctor", "--store", "file"] + more)
                    #expect(!doctor.text.contains(home), "\(doctor.text)")
                    #expect(!doctor.text.contains("state of ada"), "\(doctor.text)")
                    guard more.isEmpty else { continue }
                    #expect(
                        doctor.text.contains("Other users may use $XDG_STATE_HOME//sallyport/stores"),
                        "\(doctor.text)"
                    )
                    try await expectValidCommand(in: doctor, tool)
                }
            }
        }

        @Test func `the doctor names the variables of a proxy and of certificates, and not what they hold`()
            async throws
        {
            try await Stage.run { stage in
                var tool = stage.tool
                tool.environment["HTTPS_PROXY"] = "http://ada:open-sesame@proxy.example:3128"
                tool.environment["NO_PROXY"] = "intern.example"
                tool.environment["SSL_CERT_FILE"] = "/nonexistent/authorities.pem"
                let doctor = try await tool("doctor", "--issuer", stage.issuer)
                let proxy = "Requests go through the proxy of HTTPS_PROXY, except to the servers of NO_PROXY."
                #expect(doctor.text.contains("ok  Proxy       \(proxy)"), "\(doctor.text)")
                #expect(doctor.text.contains("ok  TLS         SSL_CERT_FILE replaces the system's"))
                #expect(doctor.text.contains("no  TLS         The file of certificate authorities can't be used."))
                for text in ["open-sesame", "ada:", "intern.example", "authorities.pem"] {
                    #expect(!(doctor.text + doctor.errorText).contains(text), "\(text)")
                }
            }
        }

        @Test func `the doctor says that a bus does not respond, and ends with exit code 5`() async throws {
            try await Stage.run { stage in
                let (tool, bus) = try stage.onMuteBus()
                try await expect("The store did not respond in time.", "dbus-run-session -- bash", from: tool)
                let doctor = try await tool("doctor", "--json")
                let findings = try #require(doctor.object["findings"] as? [[String: Any]])
                let keyring = try #require(findings.first { $0["subject"] as? String == "Keyring" })
                #expect((keyring["advice"] as? String)?.hasPrefix("The session bus, or the keyring service ") == true)
                withExtendedLifetime(bus) {}
            }
        }

        @Test func `the doctor says that a Snap's sandbox keeps the keyring away, and names the Snap to connect`()
            async throws
        {
            try await Stage.run { stage in
                try await stage.keyring.kill()
                var tool = stage.tool
                let program = try Executable.besideTests("sallyport").resolvingSymlinksInPath()
                tool.environment["SNAP"] = program.deletingLastPathComponent().path
                tool.environment["SNAP_NAME"] = "jobs"
                try await expect(
                    "This program's sandbox allows no access to a keyring.",
                    "snap connect jobs:password-manager-service",
                    from: tool
                )
            }
        }

        /// The file belongs to the user, and a link in its place could lead to another.
        @Test func `the doctor advises to look at an encrypted file that is a link`() async throws {
            try await Stage.run { stage in
                var stage = stage
                stage.tool.environment["SALLYPORT_PASSPHRASE"] = "a passphrase for tests"
                try await stage.signedIn("--store", "file")
                let data = URL(fileURLWithPath: try #require(stage.tool.environment["XDG_DATA_HOME"]))
                let files = try FileManager.default.subpathsOfDirectory(atPath: data.path)
                let file = data.appending(path: try #require(files.first { $0.hasSuffix(".sallyport") }))
                let moved = data.appending(path: "moved")
                try FileManager.default.moveItem(at: file, to: moved)
                try FileManager.default.createSymbolicLink(at: file, withDestinationURL: moved)
                let doctor = try await stage.tool("doctor", "--store", "file")
                #expect(doctor.exitCode == 5)
                #expect(doctor.text.contains("ls -ld -- "), "\(doctor.text)")
                try await expectValidCommand(in: doctor, stage.tool)
            }
        }

        @Test func `the doctor says that SSLKEYLOGFILE is set, without its path`() async throws {
            try await Stage.run { stage in
                var tool = stage.tool
                tool.environment["SSLKEYLOGFILE"] = nil
                let without = try await tool("doctor")
                #expect(!without.text.contains("SSLKEYLOGFILE"))
                tool.environment["SSLKEYLOGFILE"] = stage.keyring.home.appending(path: "keys.log").path()
                let doctor = try await tool("doctor")
                #expect(doctor.exitCode == 0)
                #expect(doctor.text.contains("ok  TLS         SSLKEYLOGFILE is set: "))
                #expect(!doctor.text.contains("keys.log"))
            }
        }

        @Test func `the doctor names a valid command to sign in, at a provider and at a backend`() async throws {
            try await Stage.run { stage in
                let lines = try await stage.tool("doctor").text.split(separator: "\n")
                let line = try #require(lines.first { $0.contains("sallyport login ") })
                let start = try #require(line.firstRange(of: "sallyport login ")).lowerBound
                let named = line[start...].replacing("URL", with: "https://id.example.com")
                let typed = named.replacing("ADDRESS", with: "a@example.com").replacing("NAME", with: "gitlab")
                let parts = typed.split(separator: " (at an app's own backend: ")
                try #require(parts.count == 2, "\(line)")
                for command in ["\(parts[0])", "\(parts[1].dropLast())"] {
                    let complaint = try await AdvisedCommand.complaint(about: command, stage.tool)
                    #expect(complaint == nil, "\(command)")
                }
            }
        }

        @Test(arguments: [
            "", "chmod 700 'a", "frobnicate --all", "/bin/frobnicate", "chmod --frobnicate 700 /tmp/a", "ls -l@ -- /",
            "kill -FROBNICATE 1", "read -rsp 'Password: ' P && sallyport status --unknown", "sudo frobnicate",
        ])
        func `the check of the doctor's commands refuses what a shell would`(line: String) async throws {
            try await HelpStage.run { stage in
                let complaint = try await AdvisedCommand.complaint(about: line, stage.tool)
                #expect(complaint != nil)
            }
        }

        @Test func `the doctor finds a provider and shows the sign-in address`() async throws {
            try await Stage.run { stage in
                let doctor = try await stage.tool("doctor", "--issuer", stage.issuer)
                #expect(doctor.text.contains("ok  Provider    Found; users sign in at \(stage.issuer)/"))
            }
        }

        @Test func `the doctor reports a provider that can't be reached, and ends with exit code 6`() async throws {
            try await Stage.run { stage in
                let doctor = try await stage.tool("doctor", "--issuer", "http://127.0.0.1:1")
                #expect(doctor.exitCode == 6)
                #expect(doctor.text.contains("no  Provider"))
            }
        }

        private func expect(_ sentence: String, _ command: String, from tool: Tool) async throws {
            let doctor = try await tool("doctor")
            #expect(doctor.exitCode == 5, "\(sentence)")
            #expect(doctor.text.contains("no  Keyring"))
            #expect(doctor.text.contains(sentence))
            #expect(doctor.text.contains(command))
            try await expectValidCommand(in: doctor, tool)
        }

        /// Expects a command in the report that a shell and its programs accept.
        private func expectValidCommand(in doctor: Command.Output, _ tool: Tool) async throws {
            let lines = AdvisedCommand.lines(in: doctor.text)
            #expect(!lines.isEmpty, "\(doctor.text)")
            for line in lines {
                let complaint = try await AdvisedCommand.complaint(about: line, tool)
                #expect(complaint == nil, "\(line)")
            }
        }
    }
}
