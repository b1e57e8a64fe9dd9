// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

extension KeyringSuite {
    @Suite("The installation ID")
    struct InstallationTests {
        private static func file(of stage: Stage) throws -> URL {
            let environment = stage.tool.environment
            let home = try #require(environment["HOME"])
            return URL(filePath: environment["XDG_CONFIG_HOME"] ?? home + "/.config")
                .appending(path: "sallyport/installation-id")
        }

        /// Returns the installations that the backend has recorded, the only upper-case UUIDs in its database.
        private static func installations(of stage: Stage) throws -> Set<String> {
            let bytes = try Data(contentsOf: stage.folder.url.appending(path: "backend.sqlite"))
            let text = String(decoding: bytes, as: UTF8.self)
            let pattern = /[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}/
            return Set(text.matches(of: pattern).map { String($0.output) })
        }

        @Test func `processes that first sign in at the same time share one installation ID in a private file`()
            async throws
        {
            try await Stage.run { stage in
                let program = try Executable.besideTests("sallyport").path
                // The mode must not depend on the user's umask.
                let line =
                    "umask 0; exec '\(program)' login --backend \(stage.url) --email \(Stage.email) "
                    + "--password-stdin --no-remember"
                let codes = try await withThrowingTaskGroup(of: Int32.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            let input = Data((Stage.password + "\n").utf8)
                            return try await Command(
                                "sh",
                                ["-c", line],
                                environment: stage.tool.environment,
                                input: input
                            ).run().exitCode
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(codes == Array(repeating: 0, count: 8))
                let file = try Self.file(of: stage)
                let kept = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .newlines)
                #expect(try Self.installations(of: stage) == [kept])
                let attributes = try FileManager.default.attributesOfItem(atPath: file.path())
                #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
                let folder = file.deletingLastPathComponent().path()
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["installation-id"])
            }
        }

        @Test func `an invalid installation ID is replaced in its file`() async throws {
            try await Stage.run { stage in
                let file = try Self.file(of: stage)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data("no name\n".utf8).write(to: file)
                try await stage.signedIn()
                let kept = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .newlines)
                #expect(try Self.installations(of: stage) == [kept])
                let attributes = try FileManager.default.attributesOfItem(atPath: file.path())
                #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            }
        }
    }
}
