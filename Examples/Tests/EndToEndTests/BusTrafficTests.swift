// SPDX-License-Identifier: Apache-2.0

import AuthCore
import BackendTestSupport
import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

extension KeyringSuite {
    /// The tokens on the session bus, as each program of the same user can watch them.
    @Suite("Traffic on the session bus")
    struct BusTrafficTests {
        @Test func `no token crosses the bus in plaintext during a sign-in, refreshes and a sign-out`() async throws {
            try await Stage.run { stage in
                let monitor = try await stage.keyring.bus.monitor()
                try await stage.signedIn()
                let login = try await stage.appleLogin("--profile", "apple")
                try #require(login.exitCode == 0, "\(login.errorText)")
                for profile in ["default", "apple"] {
                    for command in ["refresh", "token", "status", "logout"] {
                        let output = try await stage.tool(command, "--profile", profile)
                        #expect(output.exitCode == 0, "\(command): \(output.errorText)")
                    }
                }
                _ = try await stage.keyring.bus.hasOwner(of: "com.example.end")
                let traffic = try await monitor.read(until: "com.example.end")
                await monitor.end()
                // What is searched is the traffic of a keyring that was written and read.
                for member in ["CreateItem", "GetSecret", "SetSecret", "Delete"] {
                    #expect(traffic.contains("member=\(member)"), "\(member)")
                }
                let kept = stage.issued.all.filter { [.sessionToken, .accessToken, .refreshToken].contains($0.kind) }
                #expect(Set(kept.map(\.kind)).count == 3)
                for token in kept { Self.expectAbsent(token.rawValue, in: traffic) }
            }
        }

        /// Expects no part of a token, long enough to be a part of no other text, in what `dbus-monitor` has printed.
        ///
        /// It prints bytes as text if they all can be printed, and as hexadecimal numbers otherwise.
        private static func expectAbsent(_ token: String, in traffic: String) {
            let bytes = Array(token.utf8)
            for start in stride(from: 0, to: bytes.count - 24, by: 24) {
                let part = bytes[start..<start + 24]
                #expect(!traffic.contains(String(decoding: part, as: UTF8.self)), "a part of a token as text")
                let numbers = part.prefix(12).map { String(format: "%02x", $0) }.joined(separator: " ")
                #expect(!traffic.contains(numbers), "a part of a token as numbers")
            }
        }
    }
}
