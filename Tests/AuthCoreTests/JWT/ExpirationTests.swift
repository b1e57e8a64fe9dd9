// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation
import Testing

/// Reading only the expiry: as strict about the payload as reading the whole token, and ignoring the rest.
@Suite struct ExpirationTests {
    @Test(arguments: [(#"{"exp":1300819380}"#, 1_300_819_380), ("{}", nil)] as [(String, Double?)])
    func `the expiry is read from the payload`(payload: String, end: Double?) throws {
        let expected = end.map { Date(timeIntervalSince1970: $0) }
        #expect(try UnverifiedJWT.expiration(of: CompactJWT.make(payload: payload)) == expected)
    }

    @Test func `an access token's expiry is read without unwrapping the token`() throws {
        let token = try AccessToken(CompactJWT.make(payload: #"{"exp":5}"#))
        #expect(try UnverifiedJWT.expiration(of: token) == Date(timeIntervalSince1970: 5))
    }

    /// Every error in the payload is found here too, with the same code.
    @Test(arguments: MalformedJWT.all.filter { $0.part == .payload && $0.member == nil || $0.member == "exp" })
    func `a payload is refused if it is refused in a whole token`(malformed: MalformedJWT) {
        let error = #expect(throws: JWTDecodingError.self) { try UnverifiedJWT.expiration(of: malformed.token) }
        #expect(error?.code == malformed.code)
        #expect(error?.part == .payload)
    }

    @Test(arguments: MalformedJWT.all.filter { $0.part == nil })
    func `a text without the form of a token is refused`(malformed: MalformedJWT) {
        let error = #expect(throws: JWTDecodingError.self) { try UnverifiedJWT.expiration(of: malformed.token) }
        #expect(error?.code == malformed.code)
    }

    @Test(arguments: ["!.e30.c2ln", ".e30.", "e30.e30.=", "AAAA.e30.c2ln"])
    func `header and signature are ignored`(token: String) throws {
        #expect(try UnverifiedJWT.expiration(of: token) == nil)
        #expect(throws: JWTDecodingError.self) { try UnverifiedJWT(token) }
    }

    @Test func `the length is limited`() {
        let token = CompactJWT.make()
        let error = #expect(throws: JWTDecodingError.self) {
            try UnverifiedJWT.expiration(of: token, limits: JWTLimits(maximumLength: token.utf8.count - 1))
        }
        #expect(error?.code == .tooLong)
    }
}
