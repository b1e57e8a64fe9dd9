// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation
import TestSupport
import Testing

@testable import OpenIDConnect

@Suite struct IdentityTokenSourceTests {
    /// Returns a signed JWT of a size that grows with the padding.
    private static func jwt(_ subject: String, padding: Int = 0) async throws -> String {
        let claims: [String: JSONValue] = [
            "sub": .string(subject), "pad": .string(String(repeating: "a", count: padding)),
        ]
        return try await ClientAssertionKey(pem: ClientKeys.sec1).jwt(of: claims)
    }

    private static func failure(_ source: IdentityTokenSource) async -> OpenIDError? {
        await #expect(throws: OpenIDError.self) { try await source.token() }
    }

    @Test(arguments: ["", "\n", " \t", "\r\n"])
    func `a file's token is returned without the whitespace around it`(space: String) async throws {
        let token = try await Self.jwt("a")
        let file = try TemporaryFile(Array((space + token + space).utf8))
        #expect(try await IdentityTokenSource.file(path: file.path).token() == token)
    }

    @Test func `a file is read anew for each request`() async throws {
        let first = try await Self.jwt("a")
        let second = try await Self.jwt("b")
        let file = try TemporaryFile(Array(first.utf8))
        let source = IdentityTokenSource.file(path: file.path)
        #expect(try await source.token() == first)
        try file.write(Array(second.utf8))
        #expect(try await source.token() == second)
    }

    /// As Kubernetes projects a token.
    @Test func `a symbolic link to a regular file is followed`() async throws {
        let token = try await Self.jwt("a")
        let file = try TemporaryFile(Array(token.utf8))
        let link = file.path + "-link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
        defer { try? FileManager.default.removeItem(atPath: link) }
        #expect(try await IdentityTokenSource.file(path: link).token() == token)
    }

    @Test(arguments: ["/dev/zero", "/nonexistent/token", "", NSTemporaryDirectory()])
    func `a path that names no regular file is unreadable`(path: String) async {
        let error = await Self.failure(.file(path: path))
        #expect(error?.reason == .identityTokenUnreadable)
        #expect(path.isEmpty || error.map { !"\($0) \(String(reflecting: $0))".contains(path) } == true)
    }

    @Test func `a path is not cut off at NUL`() async throws {
        let file = try TemporaryFile(Array(try await Self.jwt("a").utf8))
        let error = await Self.failure(.file(path: file.path + "\0.old"))
        #expect(error?.reason == .identityTokenUnreadable)
    }

    @Test func `a file of more than 64 KiB is not read, whatever it holds`() async throws {
        let token = try await Self.jwt("a")
        let padding = String(repeating: "\n", count: 65_536 - token.utf8.count)
        let file = try TemporaryFile(Array((token + padding).utf8))
        let source = IdentityTokenSource.file(path: file.path)
        #expect(try await source.token() == token)
        try file.append([0x0A])
        #expect(await Self.failure(source)?.reason == .identityTokenUnreadable)
        let provided = IdentityTokenSource.provided(named: "job") { token + padding + "\n" }
        #expect(await Self.failure(provided)?.reason == .identityTokenUnreadable)
    }

    @Test(arguments: [
        "", "secret-4f1d", "a.b", "secret-4f1d.secret-4f1d.secret-4f1d", "e30.e30.secret-4f1d",
        #"{"value":"secret-4f1d"}"#, "a.b.c.d.e",
        // {"alg":"none"}.{"sub":"secret-4f1d"}. without a signature.
        "eyJhbGciOiJub25lIn0.eyJzdWIiOiJzZWNyZXQtNGYxZCJ9.",
    ])
    func `a text that is no signed JWT is refused without repeating it`(text: String) async throws {
        let file = try TemporaryFile(Array(text.utf8))
        for source in [IdentityTokenSource.file(path: file.path), .provided(named: "job") { text }] {
            let error = await Self.failure(source)
            #expect(error?.reason == .identityTokenMalformed)
            #expect(error.map { !"\($0) \(String(reflecting: $0))".contains("4f1d") } == true)
        }
    }

    @Test func `two tokens in one file are refused`() async throws {
        let token = try await Self.jwt("a")
        let file = try TemporaryFile(Array("\(token)\n\(token)\n".utf8))
        #expect(await Self.failure(.file(path: file.path))?.reason == .identityTokenMalformed)
    }

    private struct MetadataServerError: Error {}

    @Test func `the error of the app's function is the underlying one`() async {
        let error = await Self.failure(.provided(named: "job") { throw MetadataServerError() })
        #expect(error?.reason == .identityTokenUnreadable)
        #expect(error?.underlying is MetadataServerError)
    }

    @Test func `a cancelled function is not reported as a failed one`() async {
        let source = IdentityTokenSource.provided(named: "job") { throw CancellationError() }
        await #expect(throws: CancellationError.self) { try await source.token() }
    }

    @Test func `sources are equal if their paths or their names are`() {
        #expect(IdentityTokenSource.file(path: "/a") == .file(path: "/a"))
        #expect(IdentityTokenSource.file(path: "/a") != .file(path: "/b"))
        // One character, two names of files.
        #expect(IdentityTokenSource.file(path: "/\u{E9}") != .file(path: "/e\u{301}"))
        #expect(IdentityTokenSource.provided(named: "/a") { "" } == .provided(named: "/a") { "other" })
        #expect(IdentityTokenSource.provided(named: "/a") { "" } != .provided(named: "/b") { "" })
        #expect(IdentityTokenSource.provided(named: "/a") { "" } != .file(path: "/a"))
        #expect(IdentityTokenSource.provided(named: "\u{E9}") { "" } != .provided(named: "e\u{301}") { "" })
    }

    @Test func `a printed source shows nothing`() {
        let source = IdentityTokenSource.file(path: "/var/run/secret-4f1d")
        var dumped = ""
        dump(OpenIDClient.confidential(id: "app", identity: source), to: &dumped)
        #expect(!"\(source) \(String(reflecting: source)) \(dumped)".contains("4f1d"))
    }
}
