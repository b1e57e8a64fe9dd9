// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecureStore
import Synchronization
import TestSupport
import Testing

@testable import AppBackendSession

@Suite struct InstallationIDTests {
    private func withFile(_ test: (ConfigurationFile, URL) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let app = folder.url.appending(path: "com.example.app")
        try test(ConfigurationFile("installation-id", in: app.path()), app.appending(path: "installation-id"))
    }

    @Test func `the first ID is kept in a file that only this user can read`() throws {
        try withFile { file, url in
            let (first, second) = (UUID(), UUID())
            #expect(try file.installationID(orNew: first) == first)
            #expect(try file.installationID(orNew: second) == first)
            #expect(try String(contentsOf: url, encoding: .utf8) == "\(first.uuidString)\n")
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path())
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            let folder = url.deletingLastPathComponent().path()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["installation-id"])
        }
    }

    @Test(arguments: [
        "", "\n", "no name\n", "\u{0}\u{0}", String(repeating: "A", count: 5_000),
        "6F9619FF-8B86-D011-B42D-00C04FC964F\n", "6F9619FF-8B86-D011-B42D-00C04FC964FFx",
    ])
    func `a damaged file is replaced`(content: String) throws {
        try withFile { file, url in
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(content.utf8).write(to: url)
            let new = UUID()
            #expect(try file.installationID(orNew: new) == new)
            #expect(try file.installationID(orNew: UUID()) == new)
        }
    }

    @Test(arguments: ["", "damaged"])
    func `threads that make it at the same time agree on one ID`(content: String) throws {
        for _ in 0..<20 {
            try withFile { file, url in
                if !content.isEmpty {
                    let folder = url.deletingLastPathComponent()
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                    try Data(content.utf8).write(to: url)
                }
                let found = Mutex<[UUID]>([])
                DispatchQueue.concurrentPerform(iterations: 8) { _ in
                    let id = try? file.installationID(orNew: UUID(), waitingAtMost: .seconds(60))
                    found.withLock { $0.append(id ?? UUID()) }
                }
                #expect(Set(found.withLock { $0 }).count == 1)
            }
        }
    }

    @Test func `a file that is a link is not written through`() throws {
        try withFile { file, url in
            let folder = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let target = folder.appending(path: "target")
            try Data("kept".utf8).write(to: target)
            try FileManager.default.createSymbolicLink(at: url, withDestinationURL: target)
            #expect(throws: SecureStoreError.self) { try file.installationID(orNew: UUID()) }
            #expect(try String(contentsOf: target, encoding: .utf8) == "kept")
        }
    }
}
