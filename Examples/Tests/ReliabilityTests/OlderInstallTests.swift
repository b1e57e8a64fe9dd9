// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

extension ReliabilitySuite {
    /// A pair of tokens that an older version kept as three items, used by the next version of the app.
    @Suite("Upgrading from an older version with a pair of tokens")
    struct OlderInstallTests {
        /// The arguments of a process that makes calls for eight seconds, four lifetimes of an access token.
        private static let calls = ["8", "100"]

        private func expectSession(
            _ run: (events: [WorkerLine.Event], figures: WorkerFigures?),
            of install: OlderInstall
        ) async throws {
            #expect(run.events.contains(.called))
            #expect(run.events.last == .done)
            #expect(run.figures?.isSignedIn == true)
            #expect(run.figures?.errors == [:])
            #expect(try await install.left == [])
            // The refresh token rotates, and no token of the family was used twice outside the grace window.
            let log = install.stage.log
            #expect(log.count(.rotated) > 0)
            #expect(log.calls.allSatisfy { $0.outcome == .rotated || $0.outcome == .repeated })
        }

        @Test(.timeLimit(.minutes(5)), arguments: ["fresh", "expired", "unreadable", "absent", "no access token"])
        func `three items become the session, which refreshes and stays in the keyring`(kind: String) async throws {
            try await OlderInstall.run { install in
                let pair = try await install.signIn()
                let expiry: String? =
                    switch kind {
                    case "fresh": "\(Int(Date().timeIntervalSince1970) + ReliabilityStage.tokenLifetime)"
                    case "expired": "2026-01-01T00:00:00Z"
                    case "unreadable": "soon"
                    default: nil
                    }
                try await install.write(pair, expiry: expiry, withoutAccessToken: kind == "no access token")
                try await expectSession(install.run("upgrade", Self.calls), of: install)
                // The session is the new version's own from now on.
                let next = try await install.run("call", ["1", "100"])
                #expect(next.events.contains(.called))
                #expect(next.figures?.isSignedIn == true)
            }
        }

        @Test(.timeLimit(.minutes(5)), arguments: [WorkerLine.Event.sending, .answered, .called])
        func `a process killed in the first refresh costs no session`(event: WorkerLine.Event) async throws {
            // On a busy machine the next process may start ten seconds after the kill.
            try await OlderInstall.run(grace: 60) { install in
                try await install.write(try await install.signIn(), expiry: nil)
                try await install.run("upgrade", Self.calls, killedAt: event)
                try await expectSession(install.run("upgrade", Self.calls), of: install)
            }
        }

        @Test(.timeLimit(.minutes(5))) func `processes that upgrade at the same time share one session`() async throws {
            try await OlderInstall.run { install in
                try await install.write(try await install.signIn(), expiry: nil)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            try await expectSession(install.run("upgrade", Self.calls), of: install)
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }

        @Test(.timeLimit(.minutes(5)), arguments: [true, false])
        func `a sign-out removes the items, migrated or not, and ends the session at the backend`(
            isMigrated: Bool
        ) async throws {
            try await OlderInstall.run { install in
                let pair = try await install.signIn()
                try await install.write(pair, expiry: nil)
                if isMigrated { try await install.run("upgrade", ["1", "100"]) }
                try await install.run("sign-out")
                #expect(try await install.left == [])
                let stored = try await install.stage.keyring.secretTool(
                    ["search", "--all", "service", ReliabilityStage.service]
                )
                #expect((stored.text + stored.errorText).isEmpty)
                #expect(try await install.refresh(pair) == 401)
            }
        }
    }
}
