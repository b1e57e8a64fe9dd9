// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecureStore
import Testing

@testable import DesktopShell

/// The store of a new session.
///
/// Each test runs in its own process, because the environment belongs to the whole process.
@Suite struct StoreChoiceTests {
    @Test func `a new session is kept in the keyring, and in a sandbox under the portal's key`() async {
        await #expect(processExitsWith: .success) {
            let state = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
            unsafe setenv("XDG_STATE_HOME", state, 1)
            unsafe unsetenv("SNAP")
            let scope = try StoreScope(service: "com.example.tests")
            #expect(try SessionStore.place(nil, of: scope) == .keyring)
            // As in a shell of a Snap that this program does not belong to.
            unsafe setenv("SNAP", "/usr", 1)
            unsafe setenv("SNAP_NAME", "jobs", 1)
            #expect(try SessionStore.place(nil, of: scope) == .keyring)
            let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            unsafe setenv("SNAP", URL(filePath: program).deletingLastPathComponent().path, 1)
            #expect(try SessionStore.place(nil, of: scope) == .portal)
            #expect(try SessionStore.place(.keyring, of: scope) == .keyring)
        }
    }
}
