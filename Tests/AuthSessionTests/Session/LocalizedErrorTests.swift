// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import Foundation
import SecureStore
import Testing

@testable import AuthSession

/// Many user interfaces show only an error's `localizedDescription`.
@Suite struct LocalizedErrorTests {
    @Test func `every error's localizedDescription is its own description`() async throws {
        let errors: [any Error & CustomStringConvertible] = [
            AuthSessionError(.notSignedIn), SessionRecordError(.damaged), SecureStoreError(.locked),
            APIError(.forbidden, status: 403), TransportError(.timedOut, mayHaveReachedServer: true),
            try #require(#expect(throws: BaseURLError.self) { try BaseURL("x") }),
            try #require(#expect(throws: TokenFormatError.self) { try AccessToken("") }),
            try #require(#expect(throws: JWTDecodingError.self) { try UnverifiedJWT("") }),
        ]
        for error in errors {
            #expect((error as any Error).localizedDescription == error.description)
            #expect(error.description.hasSuffix("."))
        }
    }

    @Test func `the error of a malformed response names the missing member`() throws {
        let missing = DecodingError.keyNotFound(Key(), .init(codingPath: [], debugDescription: ""))
        let error = APIError(.malformedResponse, status: 200, underlying: missing)
        #expect(error.description == "The server's response can't be used (status 200, no member title).")
    }

    private struct Key: CodingKey {
        var stringValue: String { "title" }
        var intValue: Int? { nil }
        init() {}
        init?(stringValue: String) { nil }
        init?(intValue: Int) { nil }
    }

    @Test func `a missing session bus is not retryable, and a locked keyring is`() {
        let noBus = AuthSessionError(.storeUnavailable, underlying: SecureStoreError(.noSessionBus))
        let locked = AuthSessionError(.storeUnavailable, underlying: SecureStoreError(.locked))
        #expect(!noBus.isRetryable)
        #expect(locked.isRetryable)
    }
}
