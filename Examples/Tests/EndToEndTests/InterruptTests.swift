import Foundation
import ReferenceBackend
import Synchronization
import TestSupport
import Testing

extension KeyringSuite {
    @Suite("A tool that is ended")
    struct InterruptTests {
        /// Holds back the backend's answer to a refresh, and tells when it has carried it out.
        private final class HeldAnswer: Sendable {
            private let isArmed = Atomic(false)
            private let opening = DispatchSemaphore(value: 0)
            private let (rotated, rotation) = AsyncStream.makeStream(of: Void.self)

            func arm() { isArmed.store(true, ordering: .sequentiallyConsistent) }

            func hold(_ token: IssuedToken) {
                guard token.kind == .refreshToken, isArmed.exchange(false, ordering: .sequentiallyConsistent) else {
                    return
                }
                rotation.yield()
                opening.wait()
            }

            func isRotated() async {
                for await _ in rotated { break }
            }

            func open() { opening.signal() }
        }

        @Test func `Ctrl-C in the middle of a refresh does not lose the rotated token`() async throws {
            let held = HeldAnswer()
            let configure: (inout BackendSettings) -> Void = { settings in
                let onIssue = settings.onIssue
                settings.onIssue = { token in
                    onIssue?(token)
                    held.hold(token)
                }
            }
            try await Stage.run(configure: configure) { stage in
                try await stage.signedIn()
                held.arm()
                let refresh = try stage.tool.start("refresh")
                await held.isRotated()
                refresh.send(SIGINT)
                _ = try await refresh.read(until: "Cancelled.")
                held.open()
                #expect(await refresh.waitUntilExit(timeout: .seconds(30)) == 130)
                // Long after the grace window: the old token would be taken for a stolen one.
                stage.clock.advance(by: .seconds(60))
                #expect(try await stage.tool("refresh").exitCode == 0)
                #expect(stage.backend.statistics.count("POST", "/api/v1/auth/refresh", status: 200) == 2)
                #expect(stage.backend.statistics.count("POST", "/api/v1/auth/refresh", status: 401) == 0)
            }
        }
    }
}
