// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Glibc
import TestSupport
import Testing

@testable import AuthUI

/// The folder of the sockets.
///
/// Each test runs in a process of its own, since the environment belongs to the whole process.
@Suite struct RedirectFolderTests {
    @Test func `the sockets are below XDG_RUNTIME_DIR, in a folder that no other user can enter`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            unsafe setenv("XDG_RUNTIME_DIR", path, 1)
            let scheme = try #require(PrivateUseScheme("com.example.recipe"))
            let listener = try RedirectListener.start(scheme)
            let own = "\(path)/sallyport/redirects/com.example.recipe"
            #expect(try FileManager.default.contentsOfDirectory(atPath: own).count == 1)
            #expect(try FileManager.default.attributesOfItem(atPath: own)[.posixPermissions] as? Int == 0o700)
            listener.close()
            #expect(try FileManager.default.contentsOfDirectory(atPath: own).isEmpty)
        }
    }

    @Test(arguments: [0o700, 0o777])
    func `the sockets are below XDG_STATE_HOME if the runtime folder is missing or open to others`(mode: Int)
        async throws
    {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        await #expect(processExitsWith: .success) { [path = folder.url.path as String, mode = mode as Int] in
            unsafe setenv("XDG_STATE_HOME", "\(path)/state", 1)
            unsafe setenv("XDG_RUNTIME_DIR", mode == 0o777 ? "\(path)/run" : "\(path)/missing", 1)
            #expect(unsafe mkdir("\(path)/run", 0o700) == 0)
            #expect(unsafe chmod("\(path)/run", mode_t(mode)) == 0)
            let scheme = try #require(PrivateUseScheme("com.example.recipe"))
            let listener = try RedirectListener.start(scheme)
            let own = "\(path)/state/sallyport/run/redirects/com.example.recipe"
            #expect(try FileManager.default.contentsOfDirectory(atPath: own).count == 1)
            listener.close()
        }
    }

    @Test func `a folder of the sockets that is open to others is refused`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            unsafe setenv("XDG_RUNTIME_DIR", path, 1)
            let own = "\(path)/sallyport/redirects/com.example.recipe"
            try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
            #expect(unsafe chmod(own, 0o777) == 0)
            let scheme = try #require(PrivateUseScheme("com.example.recipe"))
            #expect(throws: (any Error).self) { try RedirectListener.start(scheme) }
            await #expect(throws: (any Error).self) { try await scheme.deliver("com.example.recipe:/callback") }
        }
    }
}
#endif
