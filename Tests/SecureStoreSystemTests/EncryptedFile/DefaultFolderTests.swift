// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && canImport(Glibc)
import AuthCore
import Foundation
import Glibc
import Testing
import TestSupport

@testable import SecureStore

/// The file's location if the app names none.
///
/// Each test runs in its own process, because the environment belongs to the whole process.
@Suite struct DefaultFolderTests {
    @Test func `the file is in XDG_DATA_HOME by default`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            unsafe setenv("XDG_DATA_HOME", path, 1)
            let scope = try StoreScope(service: "com.example.tests", account: "work")
            let store = EncryptedFileStore(scope: scope) { try Passphrase("a passphrase for tests") }
            #expect(try await store.item(forKey: try StoreKey("session")) == nil)
            #expect(try store.path == "\(path)/sallyport/\(EncryptedFile.name(of: scope))")
        }
        let made = folder.url.appendingPathComponent("sallyport").path
        #expect(try FileManager.default.attributesOfItem(atPath: made)[.posixPermissions] as? Int == 0o700)
    }

    @Test(arguments: [nil, "", "relative"])
    func `the file is in the home folder if XDG_DATA_HOME is missing or relative`(variable: String?) async {
        await #expect(processExitsWith: .success) { [variable = variable as String?] in
            unsafe unsetenv("XDG_DATA_HOME")
            if let variable { unsafe setenv("XDG_DATA_HOME", variable, 1) }
            unsafe setenv("HOME", "/tmp", 1)
            let folder = try UserFolder.data()
            #expect(folder == "/tmp/.local/share/sallyport")
            unsafe unsetenv("HOME")
            let home = unsafe String(cString: getpwuid(geteuid()).pointee.pw_dir)
            #expect(try UserFolder.data() == "\(home)/.local/share/sallyport")
        }
    }
}
#endif
