import Foundation
import ReferenceBackend
import TestSupport
import Testing

extension KeyringSuite {
    /// Another process holds the session's lock and does not run.
    @Suite("A tool that is stopped")
    struct StoppedProcessTests {
        /// The lock is the user's, and not the stage's: nobody else is to wait for it.
        private let profile = ["--profile", "stopped-\(UInt64.random(in: 0...UInt64.max))"]

        @Test func `in the middle of a refresh, it keeps no other from ending, and is named`() async throws {
            let held = HeldAnswer()
            try await Stage.run(configure: held.configure) { stage in
                try await stage.signedIn(profile[0], profile[1])
                held.arm()
                let stopped = try stage.tool.start("refresh", profile[0], profile[1], "--http-timeout", "300")
                await held.isRotated()
                stopped.send(SIGSTOP)

                // The token in the keyring is still good, and status needs no lock.
                for arguments in [["token"], ["status"], ["api", "GET", "/api/jobs"]] {
                    let time = try await ContinuousClock().measure {
                        let output = try await stage.tool.run(arguments + profile)
                        #expect(output.exitCode == 0, "\(arguments): \(output.errorText)")
                    }
                    #expect(time < .seconds(15), "\(arguments)")
                }
                // By the server's clock it has ended.
                stage.clock.advance(by: .seconds(1_000))
                for arguments in [["refresh"], ["api", "GET", "/api/jobs"], ["token", "--min-ttl", "900"]] {
                    let time = try await ContinuousClock().measure {
                        let output = try await stage.tool.run(arguments + profile + ["--http-timeout", "5"])
                        #expect(output.exitCode == 6, "\(arguments): \(output.errorText)")
                        #expect(output.text.isEmpty)
                        #expect(output.notes.count == 2)
                        let name = "process \(stopped.identifier) (sallyport)"
                        #expect(output.notes.first?.contains(name) == true, "\(output.errorText)")
                    }
                    #expect(time < .seconds(15), "\(arguments)")
                }
                #expect(stage.backend.statistics.count("POST", "/api/v1/auth/refresh") <= 1)

                stopped.send(SIGCONT)
                held.open()
                #expect(await stopped.waitUntilExit(timeout: .seconds(30)) == 0)
                #expect(try await stage.tool.run(["refresh"] + profile).exitCode == 0)
                #expect(stage.backend.statistics.count("POST", "/api/v1/auth/refresh", status: 401) == 0)
                #expect(try await stage.tool.run(["logout"] + profile).exitCode == 0)
            }
        }
    }
}
