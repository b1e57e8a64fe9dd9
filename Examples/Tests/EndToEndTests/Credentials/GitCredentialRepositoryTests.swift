// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import SharedTestSupport
import Testing

/// Real git, which gets its credentials from the tool, with repositories behind a check of the token.
@Suite(
    "Git with the tool as its credential helper",
    .enabled(
        if: MisbehavingProvider.isAvailable && PrivateKeyring.isAvailable && GitCredentialServer.isAvailable,
        "needs git, Python's cryptography, curl and gnome-keyring-daemon; Tests/run installs them"
    )
)
struct GitCredentialRepositoryTests {
    private func signedIn(_ test: (OpenIDStage, GitCredentialServer) async throws -> Void) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let login = try await stage.login()
            try #require(login.exitCode == 0, "\(login.errorText)")
            try await GitCredentialServer.run(for: stage.provider) { try await test(stage, $0) }
        }
    }

    /// Returns the path of a clone that does not exist yet.
    private func clone(_ name: String, on stage: OpenIDStage) -> URL { stage.folder.url.appending(path: name) }

    @Test func `a clone, a push and another clone work, and git keeps no token`() async throws {
        try await signedIn { stage, server in
            let repository = try await server.repository("project.git")
            let (first, second) = (clone("first", on: stage), clone("second", on: stage))
            let cloned = try await stage.git(["clone", "--quiet", repository, first.path], for: server.url)
            #expect(cloned.exitCode == 0, "\(cloned.errorText)")
            try Data("content".utf8).write(to: first.appending(path: "file"))
            for arguments in [
                ["add", "file"], ["commit", "--quiet", "-m", "Add a file"],
                ["push", "--quiet", "origin", "HEAD:refs/heads/main"],
            ] {
                let output = try await stage.git(["-C", first.path] + arguments, for: server.url)
                #expect(output.exitCode == 0, "\(output.errorText)")
            }
            let again = try await stage.git(["clone", "--quiet", repository, second.path], for: server.url)
            #expect(again.exitCode == 0, "\(again.errorText)")
            #expect(try Data(contentsOf: second.appending(path: "file")) == Data("content".utf8))
            #expect(try await server.log().contains { $0.scheme == "basic" && $0.status == 200 })

            let token = try await stage.tool("token").text.dropLast()
            let grep = try await Command("grep", ["-rlF", "-e", String(token), stage.folder.url.path]).run()
            #expect(grep.exitCode == 1, "\(grep.text)")
            #expect(!stage.tool.printed.all.contains { $0.contains(token) })
        }
    }

    @Test func `a token that the server refuses is refreshed for the next command of git`() async throws {
        try await signedIn { stage, server in
            let repository = try await server.repository("project.git")
            let listing = ["ls-remote", repository]
            #expect(try await stage.git(listing, for: server.url).exitCode == 0)
            try await stage.revoke(String(try await stage.tool("token").text.dropLast()))
            let refused = try await stage.git(listing, for: server.url)
            #expect(refused.exitCode == 128, "\(refused.errorText)")
            #expect(try await stage.refreshes() == 0)
            let next = try await stage.git(listing, for: server.url)
            #expect(next.exitCode == 0, "\(next.errorText)")
            #expect(try await stage.git(listing, for: server.url).exitCode == 0)
            #expect(try await stage.refreshes() == 1)
            #expect(try await stage.tool("status").exitCode == 0)
        }
    }

    @Test func `ten clones at once with a refused token refresh it once`() async throws {
        try await signedIn { stage, server in
            let repository = try await server.repository("project.git")
            try await stage.revoke(String(try await stage.tool("token").text.dropLast()))
            #expect(try await stage.git(["ls-remote", repository], for: server.url).exitCode == 128)
            let outputs = try await withThrowingTaskGroup(of: Command.Output.self) { group in
                for number in 0..<10 {
                    let folder = clone("clone-\(number)", on: stage)
                    group.addTask {
                        try await stage.git(["clone", "--quiet", repository, folder.path], for: server.url)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outputs.count == 10)
            for output in outputs { #expect(output.exitCode == 0, "\(output.errorText)") }
            #expect(try await stage.refreshes() == 1)
        }
    }

    @Test func `git sends no credential to another server, and none for another user`() async throws {
        try await signedIn { stage, server in
            let repository = try await server.repository("project.git")
            let named = repository.replacing("http://", with: "http://ada@")
            for (repository, url) in [(repository, "https://git.example"), (named, server.url)] {
                let output = try await stage.git(["ls-remote", repository], for: url)
                #expect(output.exitCode == 128, "\(output.errorText)")
            }
            let log = try await server.log()
            #expect(!log.isEmpty)
            // Git itself sends the name of another user, without a password. The token would be accepted.
            #expect(log.allSatisfy { $0.status == 401 }, "\(log)")
        }
    }

    @Test func `a path holds for its repositories alone, and for none if git does not name the path`() async throws {
        try await signedIn { stage, server in
            let (own, other) = try await (
                server.repository("team/project.git"), server.repository("teammate/project.git")
            )
            let url = server.url + "/team"
            let named = ["-c", "credential.useHttpPath=true", "ls-remote"]
            #expect(try await stage.git(named + [own], for: url).exitCode == 0)
            #expect(try await stage.git(named + [other], for: url).exitCode == 128)
            #expect(try await stage.git(["ls-remote", own], for: url).exitCode == 128)
        }
    }
}
