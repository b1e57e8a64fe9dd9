import APIClient
import AuthCore
import Foundation
import SecureStore
import Testing

@testable import AuthSession

/// Many user interfaces show only an error's `localizedDescription`.
@Suite struct LocalizedErrorTests {
    @Test func `every error's own sentence is what an interface shows`() async throws {
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

    @Test func `an answer that lacks a member names it`() throws {
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

    @Test func `without a session bus trying again does not help, with a locked keyring it does`() {
        let noBus = AuthSessionError(.storeUnavailable, underlying: SecureStoreError(.noSessionBus))
        let locked = AuthSessionError(.storeUnavailable, underlying: SecureStoreError(.locked))
        #expect(!noBus.isRetryable)
        #expect(locked.isRetryable)
    }
}
