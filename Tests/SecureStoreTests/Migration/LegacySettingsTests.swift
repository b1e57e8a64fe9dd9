// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import AuthCore
import Foundation
import Testing
import TestSupport

@testable import SecureStore

@Suite struct LegacySettingsTests {
    private let token = SecretBytes("a.b.c")

    private func with(_ text: String?, _ body: (LegacyItem, URL) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.url.appendingPathComponent("settings.json")
        if let text { try Data(text.utf8).write(to: file) }
        try await body(.settings(path: file.path), file)
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
            #expect(try await location.value() == token)
            try await location.remove()
            #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self) == after)
            #expect(try await location.value() == nil)
            try await location.remove()
            #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self) == after)
        }
    }

    @Test(arguments: [nil, "{}", #"{"authToken":null}"#, #"{"authToken":""}"#, #"{"AuthToken":"a.b.c"}"#])
    func `a missing file or one without the value reads as absent and is not written`(text: String?) async throws {
        try await with(text) { (location, file) async throws in
            #expect(try await location.value() == nil)
            try await location.remove()
            #expect(FileManager.default.contents(atPath: file.path) == text.map { Data($0.utf8) })
        }
    }

    @Test(arguments: [
        "", "null", #""authToken""#, #"["authToken"]"#, #"{"authToken":"a.b.c""#, #"{"authToken":"a.b.c"},"#,
        #"{"authToken":"a.b.c",}"#, #"{"authToken":"a.b.c","authToken":"a.b.c"}"#,
        #"{"authToken":true}"#, #"{"authToken":{"a":"b"}}"#, #"{"authToken":"a.b.c","x":01}"#, #"{authToken:"a.b.c"}"#,
        String(repeating: #"{"a":"#, count: 70) + "1" + String(repeating: "}", count: 70),
        #"{"authToken":""# + String(repeating: "a", count: 1024 * 1024) + #""}"#,
    ])
    func `an invalid file is reported as damaged and is not written`(text: String) async throws {
        try await with(text) { (location, file) async throws in
            await #expect(throws: SecureStoreError(.damaged)) { try await location.value() }
            await #expect(throws: SecureStoreError(.damaged)) { try await location.remove() }
            #expect(try Data(contentsOf: file) == Data(text.utf8))
        }
    }

    @Test func `a file that is not UTF-8 is reported as damaged`() async throws {
        try await with("{}") { location, file in
            try (Data(#"{"authToken":""#.utf8) + [0xFF] + Data(#""}"#.utf8)).write(to: file)
            await #expect(throws: SecureStoreError(.damaged)) { try await location.value() }
        }
    }

    @Test(arguments: [("1767225600", "1767225600"), ("-1.5", "-1.5"), ("42.0", "42")])
    func `a number is a value, as its text`(number: String, text: String) async throws {
        try await with(#"{"authToken":\#(number),"a":1.50}"#) { (location, file) async throws in
            #expect(try await location.value() == SecretBytes(text))
            try await location.remove()
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
            try await location.remove()
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
        let location = LegacyItem.settings(path: link.path)
        await #expect(throws: SecureStoreError(.denied)) { try await location.value() }
        await #expect(throws: SecureStoreError(.denied)) { try await location.remove() }
        #expect(try Data(contentsOf: file) == Data(text.utf8))
    }
}
#endif
