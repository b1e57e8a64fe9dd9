// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

extension KeyringSuite {
    /// Sign-outs whose session could not be removed at first.
    @Suite("A pending sign-out")
    struct PendingSignOutTests {
        private static let complete =
            "The pending sign-out is complete: the session was removed from the keyring."

        @Test(arguments: [["status"], ["token"], ["logout"], ["doctor"]])
        func `a sign-out from a locked keyring is pending, and the first command after the unlock completes it`(
            first: [String]
        ) async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                try await stage.keyring.lock()
                for _ in 1...2 {
                    let logout = try await stage.tool("logout")
                    #expect(logout.exitCode == 5)
                    #expect(logout.notes.first?.hasPrefix("Signed out here. ") == true)
                    #expect(logout.notes.first?.hasSuffix("The removal of the session is pending.") == true)
                }
                let status = try await stage.tool("status")
                #expect(status.exitCode == 3)
                #expect(!status.notes.contains(Self.complete))
                #expect(try await stage.tool("doctor").text.contains("Removal"))
                try await stage.keyring.unlock()
                let output = try await stage.tool.run(first)
                #expect(output.exitCode == (first == ["doctor"] ? 0 : 3), "\(output.errorText)")
                #expect(output.notes.last == Self.complete)
                #expect(try await stage.stored().isEmpty)
                let later = try await stage.tool("status")
                #expect(later.exitCode == 3)
                #expect(!later.notes.contains(Self.complete))
                #expect(try await !stage.tool("doctor").text.contains("Removal"))
                // A new sign-in is not affected.
                try await stage.signedIn()
                #expect(try await stage.tool("status").exitCode == 0)
            }
        }

        @Test(arguments: [nil, "unix:path=/nonexistent/bus"])
        func `a sign-out without a session bus is pending`(address: String?) async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                var elsewhere = stage.tool
                elsewhere.environment["DBUS_SESSION_BUS_ADDRESS"] = address
                let logout = try await elsewhere("logout")
                #expect(logout.exitCode == 5)
                #expect(
                    logout.notes.first
                        == "Signed out here. There is no session bus for a keyring. "
                        + "The removal of the session is pending."
                )
                #expect(try await !stage.stored().isEmpty)
                let login = try await stage.login()
                #expect(login.exitCode == 0)
                #expect(login.notes.last == Self.complete)
            }
        }

        @Test func `a sign-out without a keyring service is pending`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                try await PrivateKeyring.busWithoutProvider { bus in
                    var elsewhere = stage.tool
                    elsewhere.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
                    let logout = try await elsewhere("logout")
                    #expect(logout.exitCode == 5)
                    #expect(logout.notes.first?.contains("No keyring service runs on this session bus.") == true)
                }
                #expect(try await stage.tool("status").notes.last == Self.complete)
                #expect(try await stage.stored().isEmpty)
            }
        }

        @Test func `a session in the keyring finishes a removal that is pending in the file`() async throws {
            try await Stage.run { stage in
                var tool = stage.tool
                tool.environment["SALLYPORT_PASSPHRASE"] = "a passphrase for tests"
                let login = ["login", "--backend", stage.url, "--email", Stage.email, "--password-stdin", "--store"]
                try #require(try await tool.run(login + ["file"], input: Stage.password).exitCode == 0)
                let folder = try #require(tool.environment["XDG_DATA_HOME"]) + "/sallyport"
                func open(_ mode: Int) throws {
                    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
                }
                try open(0o755)
                #expect(try await tool("logout").exitCode == 5)
                let elsewhere = try await tool.run(login + ["keyring"], input: Stage.password)
                #expect(elsewhere.exitCode == 0, "\(elsewhere.errorText)")
                #expect(try await tool("doctor").text.contains("(file)"))
                try open(0o700)
                let logout = try await tool("logout")
                #expect(logout.exitCode == 0, "\(logout.errorText)")
                #expect(logout.notes.last == Self.complete.replacing("keyring", with: "file"))
                #expect(try await !tool("doctor").text.contains("Removal"))
            }
        }

        @Test func `a sign-out is pending within one deadline for all calls if the bus does not respond`()
            async throws
        {
            try await Stage.run { stage in
                try await stage.signedIn()
                let (tool, mute) = try stage.onMuteBus()
                defer { withExtendedLifetime(mute) {} }
                let time = try await ContinuousClock().measure {
                    let logout = try await tool("logout")
                    #expect(logout.exitCode == 5)
                    #expect(logout.notes.first?.contains("The store did not respond in time.") == true)
                }
                #expect(time < .seconds(13), "with a deadline for each call it was 15 seconds")
            }
        }

        @Test func `a sign-out and a concurrent refresh end soon while the keyring hangs`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                stage.keyring.pause()
                let time = try await ContinuousClock().measure {
                    async let logout = stage.tool("logout")
                    async let refresh = stage.tool("refresh")
                    let codes = [try await logout.exitCode, try await refresh.exitCode]
                    #expect(codes == [5, 5])
                }
                stage.keyring.resume()
                #expect(time < .seconds(16), "with a deadline for each call it was 20 seconds")
                #expect(try await stage.tool("status").notes.last == Self.complete)
                #expect(try await stage.stored().isEmpty)
            }
        }

        @Test(
            .enabled(
                if: ScriptedKeyring.isAvailable && MisbehavingProvider.isAvailable,
                "needs Python's cryptography and secretstorage, and curl; Tests/run installs them"
            )
        )
        func `a revocation reports a pending removal even if the provider can't be reached`() async throws {
            try await ScriptedKeyring.with { keyring in
                try await OpenIDStage.run { stage in
                    var stage = stage
                    stage.tool.environment["DBUS_SESSION_BUS_ADDRESS"] = keyring.address
                    let login = try await stage.login()
                    try #require(login.exitCode == 0, "\(login.errorText)")
                    try await stage.provider.misbehave("revocation-503")
                    // The keyring is locked between the command's first read of the session and its next call.
                    let readings = try await keyring.calls(of: "GetSecret")
                    try await keyring.say("hold GetSecret")
                    let revoke = try stage.tool.start("revoke")
                    try await keyring.waitForCall(of: "GetSecret", times: readings + 1)
                    revoke.send(SIGSTOP)
                    try await keyring.say("release")
                    try await keyring.say("lock")
                    revoke.send(SIGCONT)
                    let exitCode = await revoke.waitUntilExit(timeout: .seconds(60))
                    let notes = revoke.rest()
                    #expect(exitCode == 5, "\(notes)")
                    #expect(notes.contains("Signed out here. The removal of the session is pending."), "\(notes)")
                    try await keyring.say("unlock")
                    let status = try await stage.tool("status")
                    #expect(status.exitCode == 3)
                    #expect(status.notes.last == Self.complete)
                }
            }
        }

        @Test(.enabled(if: PrivateKeePassXC.isAvailable, "needs keepassxc; Tests/run installs it"))
        func `a sign-out from KeePassXC, which deletes nothing without a prompt, shows none`() async throws {
            try await Stage.run { stage in
                try await PrivateKeePassXC.with { keyring in
                    var stage = stage
                    stage.tool.environment["DBUS_SESSION_BUS_ADDRESS"] = keyring.address
                    try await stage.signedIn()
                    let logout = try await stage.tool("logout")
                    #expect(logout.exitCode == 0, "\(logout.errorText)")
                    #expect(logout.notes == ["Signed out, here and at the server."])
                    #expect(try await stage.tool("status").exitCode == 3)
                }
            }
        }
    }
}
