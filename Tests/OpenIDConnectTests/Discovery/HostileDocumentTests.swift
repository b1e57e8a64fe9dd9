// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import OpenIDConnect
import Testing

/// A discovery document that is made to use up the client's memory, stack or time.
@Suite struct HostileDocumentTests {
    /// The largest document that is read, in bytes.
    private static let maximumSize = 524_288
    /// The depth of the deepest document that is read; the document itself is the first level.
    private static let maximumDepth = 16

    /// Returns the valid document with one more member.
    private static func document(with value: String) -> String {
        Provider.document.dropLast() + #","x":\#(value)}"#
    }

    /// Returns the valid document at a size, filled up with one long string.
    private static func document(size: Int) -> String {
        document(with: #""\#(String(repeating: "a", count: size - document(with: #""""#).utf8.count))""#)
    }

    /// Returns the valid document at a depth, with arrays in arrays.
    private static func document(depth: Int) -> String {
        document(with: String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1))
    }

    @Test func `a document above the size limit is refused`() async throws {
        _ = try await Provider.discover(Self.document(size: Self.maximumSize))
        let error = await #expect(throws: OpenIDError.self) {
            try await Provider.discover(Self.document(size: Self.maximumSize + 1))
        }
        #expect(error == OpenIDError(.discovery, .malformedResponse))
    }

    @Test(arguments: [maximumDepth + 1, 100_000])
    func `a document that is too deep is refused`(depth: Int) async throws {
        _ = try await Provider.discover(Self.document(depth: Self.maximumDepth))
        let error = await #expect(throws: OpenIDError.self) {
            try await Provider.discover(Self.document(depth: depth))
        }
        #expect(error == OpenIDError(.discovery, .malformedResponse))
    }

    @Test func `a document is awaited for fifteen seconds, even if the timeout of the app is longer`() async throws {
        let transport = ScriptedTransport { _ in .json(Provider.document) }
        var settings = ProviderSettings()
        settings.transport = transport
        settings.timeout = .seconds(3_600)
        _ = try await ProviderMetadata.discover(issuer: Issuer(Provider.issuer), settings: settings)
        #expect(!transport.requests.isEmpty)
        for request in transport.requests { #expect((.seconds(14) ... .seconds(15)).contains(request.timeout)) }
    }

    /// Marks that `String` sorts before it compares: more than ten seconds for a comparison of this text.
    private static let marks = "a" + String(repeating: "\u{301}\u{316}", count: 64_000)

    @Test func `a list with long runs of combining marks is refused at once`() async throws {
        let document = String(Provider.document.dropLast()) + #","scopes_supported":["\#(Self.marks)"]}"#
        let start = ContinuousClock.now
        let error = await #expect(throws: OpenIDError.self) {
            _ = try await Provider.request(document: document).url()
        }
        #expect(error == OpenIDError(.discovery, .invalidMember("scopes_supported")))
        #expect(start.duration(to: .now) < .seconds(5))
    }

    @Test func `keys with long runs of combining marks are skipped at once`() throws {
        let point = String(repeating: "A", count: 43)
        let curve = #""crv":"P-256","x":"\#(point)","y":"\#(point)""#
        let good = #"{"kty":"EC",\#(curve)}"#
        let hostile = [
            #"{"kty":"\#(Self.marks)",\#(curve)}"#, #"{"kty":"EC","use":"\#(Self.marks)",\#(curve)}"#,
            #"{"kty":"EC","alg":"\#(Self.marks)",\#(curve)}"#,
        ]
        let start = ContinuousClock.now
        let keys = try hostile.map { try #require(JSONWebKeySet(Array(#"{"keys":[\#($0),\#(good)]}"#.utf8))) }
        #expect(keys.allSatisfy { $0 == JSONWebKeySet(Array(#"{"keys":[\#(good)]}"#.utf8)) })
        #expect(start.duration(to: .now) < .seconds(5))
    }

    /// The most that a document can contain of marks that are compared.
    @Test func `a document full of texts with as many marks as are accepted is read in time`() throws {
        let text = String(Self.marks.unicodeScalars.prefix(511))
        let operations = Array(repeating: "\"\(text)\"", count: 500).joined(separator: ",")
        let start = ContinuousClock.now
        #expect(JSONWebKeySet(Array(#"{"keys":[{"kty":"EC","key_ops":[\#(operations)]}]}"#.utf8)) != nil)
        #expect(start.duration(to: .now) < .seconds(5))
    }
}
