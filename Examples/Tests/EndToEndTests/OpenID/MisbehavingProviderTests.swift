// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// Each fault is one test: the tool as a process, against a provider with exactly one fault.
@Suite(
    "A misbehaving provider",
    .enabled(if: MisbehavingProvider.isAvailable, "needs Python's cryptography and curl; Tests/run installs them")
)
struct MisbehavingProviderTests {
    @Test func `the fault list allows each of the tool's own decisions`() async throws {
        let faults = try await Fault.all()
        for (name, decision) in FaultDecision.all {
            let fault = try #require(faults.first { $0.name == name }, "there is no fault \(name)")
            #expect(fault.expect != decision.exitCode, "\(name)")
            #expect(fault.also?.contains(decision.exitCode) == true, "\(name)")
        }
    }

    @Test func `the fault list contains every fault with an OAuth error code`() async throws {
        let names = Set(try await Fault.all().map(\.name))
        #expect(Fault.oauthCodes.keys.filter { !names.contains($0) }.isEmpty)
    }

    @Test(arguments: try await Fault.exposed(by: "login"))
    func `a sign-in ends with the fault's exit code and leaks no secret`(fault: Fault) async throws {
        try await OpenIDStage.run { stage in
            try await stage.provider.misbehave(fault.name)
            let login = try await stage.login(for: fault, "--store", "memory", "--json")
            #expect(login.exitCode == fault.exitCode, "\(login.errorText)")
            if login.exitCode == 0 {
                #expect(login.object["sub"] as? String == MisbehavingProvider.subject)
            } else {
                stage.expectTwoSentences(login)
            }
            fault.expectOAuthCode(in: login)
            try await stage.expectNoSecret(in: [login])
            let log = try await stage.provider.log()
            stage.expectNothingElsewhere(log)
            // A code is sent once. It may be sent again only if the proof lacked the provider's nonce, which is checked
            // before the code.
            let codes = log.count { $0.grantType == "authorization_code" }
            #expect(codes <= (fault.login?.contains("--dpop") == true ? 2 : 1))
            if login.exitCode != 0 { #expect(!log.contains { $0.path == "/userinfo" }) }
        }
    }

    @Test func `a sign-in takes the address of the document, and names a slip in the scope`() async throws {
        try await OpenIDStage.run { stage in
            let login = try await stage.tool(
                "login",
                "--issuer",
                stage.provider.issuer + "/.well-known/openid-configuration",
                "--client-id",
                MisbehavingProvider.publicClient,
                "--scope",
                "openid profile,email",
                "--store",
                "memory"
            )
            let notes = login.errorText
            let issuer = stage.provider.issuer
            #expect(notes.contains("The address is that of a document, whose issuer is \(issuer)."), "\(notes)")
            #expect(notes.contains("Scopes are separated by spaces alone: --scope 'openid profile email'"))
            let address = try #require(stage.addresses.first)
            #expect(address.hasPrefix(stage.provider.issuer + "/authorize?"))
        }
    }

    @Test(.enabled(if: PrivateKeyring.isAvailable), arguments: try await Fault.exposed(by: "userinfo"))
    func `userinfo ends with the fault's exit code, and the session stays`(fault: Fault) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let output = try await Self.expose(fault, on: stage)
            if output.exitCode == 0 {
                #expect(output.object["sub"] as? String == MisbehavingProvider.subject)
            }
            let calls = try await stage.provider.log().count { $0.path == "/userinfo" }
            // The sign-in has asked once, for the name that the ID token lacks.
            #expect(calls == (fault.name == "userinfo-401" ? 3 : 2))
            try await stage.provider.misbehave(nil)
            let again = try await stage.tool("userinfo")
            #expect(again.exitCode == 0, "\(again.errorText)")
            #expect(again.object["sub"] as? String == MisbehavingProvider.subject)
        }
    }

    @Test(.enabled(if: PrivateKeyring.isAvailable))
    func `a name of combining marks slows no command down`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let fault = try #require(try await Fault.all().first { $0.name == "userinfo-long-name" })
            _ = try await Self.expose(fault, on: stage)
            for command in ["userinfo", "status", "profiles", "doctor"] {
                let start = ContinuousClock.now
                let output = try await stage.tool(command)
                #expect(output.exitCode == 0, "\(output.errorText)")
                #expect(start.duration(to: .now) < .seconds(15), "\(command)")
            }
        }
    }

    @Test(.enabled(if: PrivateKeyring.isAvailable), arguments: try await Fault.exposed(by: "refresh"))
    func `a refresh ends with the fault's exit code, and only a refusal by the provider ends the session`(
        fault: Fault
    ) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let output = try await Self.expose(fault, on: stage)
            try await stage.provider.misbehave(nil)
            let token = try await stage.tool("token")
            if output.exitCode == 4 {
                #expect(output.errorText.contains("sallyport login NAME"), "\(output.errorText)")
                #expect([3, 4].contains(token.exitCode), "\(token.errorText)")
            } else {
                #expect(token.exitCode == 0, "\(token.errorText)")
                #expect(token.text.count > 20)
            }
            // A provider that rotated and spoiled the response repeats that same response.
            if !Self.isSpoiled(fault), output.exitCode != 4 {
                let again = try await stage.tool("refresh")
                #expect(again.exitCode == 0, "\(again.errorText)")
            }
        }
    }

    @Test(.enabled(if: PrivateKeyring.isAvailable), arguments: try await Fault.exposed(by: "logout"))
    func `a sign-out ends the local session, whatever the provider does`(fault: Fault) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let output = try await Self.expose(fault, on: stage)
            #expect(output.exitCode == 0)
            let status = try await stage.tool("status")
            #expect(status.exitCode == 3, "\(status.errorText)")
            // The tool starts the browser but does not wait for it.
            try await waitUntil("the browser has been at the provider") {
                try await stage.provider.log().contains { $0.path == "/end-session" }
            }
            let visit = try #require(try await stage.provider.log().first { $0.path == "/end-session" })
            #expect(visit.method == "GET" && visit.query.contains("id_token_hint"), "\(visit)")
            try await stage.expectNoSecret(in: [output])
        }
    }

    @Test(.enabled(if: PrivateKeyring.isAvailable))
    func `a later command sends a revocation that failed`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let fault = try #require(try await Fault.all().first { $0.name == "revocation-503" })
            _ = try await Self.expose(fault, on: stage)
            try await stage.provider.misbehave(nil)
            let before = try await stage.provider.log().count { $0.path == "/revoke" && $0.status == 200 }
            #expect(before == 0)
            let login = try await stage.login()
            #expect(login.exitCode == 0, "\(login.errorText)")
            let after = try await stage.provider.log().count { $0.path == "/revoke" && $0.status == 200 }
            #expect(after > 0)
        }
    }

    /// Signs in without a fault, and then runs the command that exposes it.
    private static func expose(_ fault: Fault, on stage: OpenIDStage) async throws -> Command.Output {
        let login = try await stage.login(as: fault.client)
        try #require(login.exitCode == 0, "\(login.errorText)")
        try await stage.provider.misbehave(fault.name)
        let output = try await stage.tool(fault.command)
        #expect(output.exitCode == fault.exitCode, "\(output.errorText)")
        if output.exitCode != 0 { stage.expectTwoSentences(output) }
        fault.expectOAuthCode(in: output)
        try await stage.expectNoSecret(in: [login, output])
        stage.expectNothingElsewhere(try await stage.provider.log())
        return output
    }

    private static func isSpoiled(_ fault: Fault) -> Bool {
        fault.name.hasPrefix("refresh-wrong-") || fault.name == "refresh-token-type-mac"
    }
}

extension Fault {
    /// The exit code that the tool must return.
    var exitCode: Int32 { FaultDecision.all[name]?.exitCode ?? expect }
}
