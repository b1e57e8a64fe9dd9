// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import AuthCore
import Foundation
import SecureStore
import Testing
import TestSupport

@Suite struct LegacySettingsValueTests {
    private let token = SecretBytes("a.b.c")

    private func with(_ text: String?, _ body: (LegacySettingsValue, URL) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.url.appendingPathComponent("settings.json")
        if let text { try Data(text.utf8).write(to: file) }
        try await body(LegacySettingsValue(.oldest, path: file.path), file)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == (text == nil ? 0 : 1))
    }

    @Test(arguments: [
        // A member at the start, in the middle and at the end; alone; beside values of every kind.
        (#"{"authToken":"a.b.c","theme":"dark"}"#, #"{"theme":"dark"}"#),
        (#"{"a":1,"authToken":"a.b.c","b":2}"#, #"{"a":1,"b":2}"#),
        (#"{"a":1,"authToken":"a.b.c"}"#, #"{"a":1}"#),
        (#"{"authToken":"a.b.c"}"#, "{}"),
        ("{\n  \"a\": 1.50,\n  \"authToken\": \"a.b.c\"\n}\n", #"{"a":1.5}"#),
        (#"{"authToken":"a.b.c","a":[9223372036854775807,-0.25,"x/y"]}"#, #"{"a":[9223372036854775807,-0.25,"x/y"]}"#),
        (" { \"authToken\" : \"a.b.c\" } ", "{}"),
        (
            #"{"x":{"authToken":"no"},"authToken":"a.b.c","y":["authToken",{}]}"#,
            #"{"x":{"authToken":"no"},"y":["authToken",{}]}"#
        ),
        (#"{"é":"\u00e9","authToken":"a\u002eb.c","z":null}"#, #"{"z":null,"é":"é"}"#),
        (#"{"auth\u0054oken":"a.b.c","z":true}"#, #"{"z":true}"#),
    ])
    func `the value is read, and its removal leaves every other value unchanged`(
        before: String,
        after: String
    ) async throws {
        try await with(before) { (location, file) async throws in
            #expect(try await location.item() == token)
            #expect(try await !location.removeItem(ifEquals: SecretBytes("another")))
            #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self) == before)
            #expect(try await location.removeItem(ifEquals: token))
            #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self) == after)
            #expect(try await location.item() == nil)
            #expect(try await location.removeItem(ifEquals: token))
        }
    }

    @Test(arguments: [nil, "{}", #"{"authToken":null}"#, #"{"authToken":""}"#, #"{"AuthToken":"a.b.c"}"#])
    func `a missing file or one without the value reads as absent and is not written`(text: String?) async throws {
        try await with(text) { (location, file) async throws in
            #expect(try await location.item() == nil)
            #expect(try await location.removeItem(ifEquals: token))
            #expect(FileManager.default.contents(atPath: file.path) == text.map { Data($0.utf8) })
        }
    }

    @Test(arguments: [
        "", "null", #""authToken""#, #"["authToken"]"#, #"{"authToken":"a.b.c""#, #"{"authToken":"a.b.c"},"#,
        #"{"authToken":"a.b.c",}"#, #"{"authToken":"a.b.c","authToken":"a.b.c"}"#, #"{"authToken":1}"#,
        #"{"authToken":{"a":"b"}}"#, #"{"authToken":"a.b.c","x":01}"#, #"{authToken:"a.b.c"}"#,
        String(repeating: #"{"a":"#, count: 70) + "1" + String(repeating: "}", count: 70),
        #"{"authToken":""# + String(repeating: "a", count: 1024 * 1024) + #""}"#,
    ])
    func `an invalid file is reported as damaged and is not written`(text: String) async throws {
        try await with(text) { (location, file) async throws in
            await #expect(throws: SecureStoreError(.damaged)) { try await location.item() }
            await #expect(throws: SecureStoreError(.damaged)) { try await location.removeItem(ifEquals: token) }
            #expect(try Data(contentsOf: file) == Data(text.utf8))
        }
    }

    @Test func `a file that is not UTF-8 is reported as damaged`() async throws {
        try await with("{}") { location, file in
            try (Data(#"{"authToken":""#.utf8) + [0xFF] + Data(#""}"#.utf8)).write(to: file)
            await #expect(throws: SecureStoreError(.damaged)) { try await location.item() }
        }
    }

    @Test(arguments: [("1767225600", "1767225600"), ("-1.5", "-1.5"), ("42.0", "42")])
    func `a number is a value if it is accepted, and is removed by its text`(number: String, text: String) async throws
    {
        try await with(#"{"authToken":\#(number),"a":1.50}"#) { (location, file) async throws in
            await #expect(throws: SecureStoreError(.damaged)) { try await location.item() }
            let accepting = LegacySettingsValue(.oldest, path: file.path, acceptsNumbers: true)
            #expect(try await accepting.item() == SecretBytes(text))
            #expect(try await !accepting.removeItem(ifEquals: token))
            #expect(try await accepting.removeItem(ifEquals: SecretBytes(text)))
            #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self) == #"{"a":1.5}"#)
        }
    }

    @Test func `a sign-out removes the drafts of killed writers, but none that may still be written`() async throws {
        try await with("{}") { (location, file) async throws in
            func draft(_ name: String, age: TimeInterval) throws -> URL {
                let draft = URL(fileURLWithPath: "\(file.path).\(name).draft")
                try Data(#"{"authToken":"a.b.c"}"#.utf8).write(to: draft)
                let written = Date(timeIntervalSinceNow: -age)
                try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: draft.path)
                return draft
            }
            let (old, new) = (try draft("old", age: 3_600), try draft("new", age: 0))
            try await location.removeCopies()
            #expect(!FileManager.default.fileExists(atPath: old.path))
            #expect(FileManager.default.fileExists(atPath: new.path))
            try FileManager.default.removeItem(at: new)
            #expect(FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test(arguments: [0o600, 0o644, 0o640])
    func `a removal keeps the file's mode`(mode: Int) async throws {
        try await with(#"{"authToken":"a.b.c"}"#) { location, file in
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
            #expect(try await location.removeItem(ifEquals: token))
            #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == mode)
        }
    }

    @Test func `a symbolic link is not followed, and its target is not written`() async throws {
        let text = #"{"authToken":"a.b.c"}"#
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let (file, link) = (folder.url.appendingPathComponent("file"), folder.url.appendingPathComponent("link"))
        try Data(text.utf8).write(to: file)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let location = LegacySettingsValue(.oldest, path: link.path)
        await #expect(throws: SecureStoreError(.denied)) { try await location.item() }
        await #expect(throws: SecureStoreError(.denied)) { try await location.removeItem(ifEquals: token) }
        #expect(try Data(contentsOf: file) == Data(text.utf8))
    }
}
#endif
