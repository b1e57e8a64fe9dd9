// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import AuthSession
import Foundation
import Glibc
import SecureStore
import TestSupport
import Testing

@testable import AuthUI

/// The files of a registration.
///
/// Each test runs in a process of its own, since the environment belongs to the whole process.
@Suite struct SchemeHandlerTests {
    @Test func `a registration writes the entry and the default, changes nothing the second time, and is removed`()
        async throws
    {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            unsafe setenv("XDG_DATA_HOME", "\(path)/data", 1)
            unsafe setenv("XDG_CONFIG_HOME", "\(path)/config", 1)
            let scheme = try #require(PrivateUseScheme("com.example.recipe"))
            let handler = try SchemeHandler(scheme, appName: "Recipe")
            #expect(!SchemeHandler.isRegistered(scheme))
            #expect(try handler.register())
            #expect(SchemeHandler.isRegistered(scheme))
            #expect(try !handler.register())
            let entry = "\(path)/data/applications/com.example.recipe.callback.desktop"
            let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            #expect(try String(contentsOfFile: entry, encoding: .utf8).contains("Exec=\(program) callback %u\n"))
            let list = try String(contentsOfFile: "\(path)/config/mimeapps.list", encoding: .utf8)
            #expect(list.contains("x-scheme-handler/com.example.recipe=com.example.recipe.callback.desktop\n"))
            try SchemeHandler.unregister(scheme)
            try SchemeHandler.unregister(scheme)
            #expect(!SchemeHandler.isRegistered(scheme))
            #expect(!FileManager.default.fileExists(atPath: entry))
        }
    }

    @Test func `a registration with other arguments replaces the entry`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            unsafe setenv("XDG_DATA_HOME", "\(path)/data", 1)
            unsafe setenv("XDG_CONFIG_HOME", "\(path)/config", 1)
            let scheme = try #require(PrivateUseScheme("com.example.recipe"))
            try SchemeHandler(scheme, appName: "Recipe", program: "/opt/recipe").register()
            let other = try SchemeHandler(scheme, appName: "Recipe", program: "/opt/recipe", arguments: ["--work"])
            #expect(try other.register())
            let entry = "\(path)/data/applications/com.example.recipe.callback.desktop"
            #expect(try String(contentsOfFile: entry, encoding: .utf8).contains("Exec=/opt/recipe --work %u\n"))
        }
    }

    @Test func `a registration keeps the list that another program creates at the same time`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            unsafe setenv("XDG_DATA_HOME", "\(path)/data", 1)
            unsafe setenv("XDG_CONFIG_HOME", path, 1)
            let scheme = try #require(PrivateUseScheme("com.example.recipe"))
            let handler = try SchemeHandler(scheme, appName: "Recipe")
            let list = ConfigurationFile("mimeapps.list", in: path)
            let line = "text/html=browser.desktop\n"
            for _ in 0..<100 {
                try handler.register()
                try list.remove()
                async let isCreated = list.replace(
                    with: Array("[Default Applications]\n\(line)".utf8),
                    ifUnchangedFrom: nil
                )
                try handler.register()
                let hasLine = try await isCreated
                #expect(try String(contentsOfFile: list.path, encoding: .utf8).contains(line) == hasLine)
                #expect(SchemeHandler.isRegistered(scheme))
            }
        }
    }

    @Test func `a link in the place of mimeapps.list is not written through`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            unsafe setenv("XDG_DATA_HOME", "\(path)/data", 1)
            unsafe setenv("XDG_CONFIG_HOME", "\(path)/config", 1)
            try FileManager.default.createDirectory(atPath: "\(path)/config", withIntermediateDirectories: true)
            try Data("kept".utf8).write(to: URL(fileURLWithPath: "\(path)/target"))
            unsafe symlink("\(path)/target", "\(path)/config/mimeapps.list")
            let scheme = try #require(PrivateUseScheme("com.example.recipe"))
            let handler = try SchemeHandler(scheme, appName: "Recipe")
            let error = #expect(throws: SecureStoreError.self) { try handler.register() }
            #expect(error?.code == .denied)
            #expect(try String(contentsOfFile: "\(path)/target", encoding: .utf8) == "kept")
        }
    }
}
#endif
