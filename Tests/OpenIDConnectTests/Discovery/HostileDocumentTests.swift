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
        let error = await #expect(throws: DiscoveryError.self) {
            try await Provider.discover(Self.document(size: Self.maximumSize + 1))
        }
        #expect(error?.code == .malformedResponse)
    }

    @Test(arguments: [maximumDepth + 1, 100_000])
    func `a document that is too deep is refused`(depth: Int) async throws {
        _ = try await Provider.discover(Self.document(depth: Self.maximumDepth))
        let error = await #expect(throws: DiscoveryError.self) {
            try await Provider.discover(Self.document(depth: depth))
        }
        #expect(error?.code == .malformedResponse)
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
}
