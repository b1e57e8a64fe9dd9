import Foundation
import ReferenceBackend
import TestSupport
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
        }
    }
}
