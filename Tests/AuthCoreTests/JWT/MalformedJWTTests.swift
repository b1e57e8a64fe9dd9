// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation
import Testing

@Suite struct MalformedJWTTests {
    @Test(arguments: MalformedJWT.all)
    func `a malformed token is refused with the expected code`(malformed: MalformedJWT) {
        malformed.fault.expect(of: malformed.token, in: malformed.part, member: malformed.member)
    }

    private static func nested(_ depth: Int) -> String {
        let lists = depth - 1
        return CompactJWT.make(
            payload: #"{"a":"# + String(repeating: "[", count: lists) + String(repeating: "]", count: lists) + "}"
        )
    }

    @Test(arguments: [17, 65, 10_000, 20_000])
    func `a payload that is too deep is refused without a crash`(depth: Int) {
        TokenFault.tooDeep.expect(of: Self.nested(depth), in: .payload)
    }

    @Test(arguments: [2, 15, 16])
    func `a payload of the maximum depth is read`(depth: Int) throws {
        #expect(try UnverifiedJWT(Self.nested(depth)).claims.all.count == 1)
    }

    @Test(arguments: [2, 24, 25, 26, 1_000])
    func `a duplicate name is found among any number of names`(count: Int) throws {
        let names = (0..<count).map { #""n\#($0)":\#($0)"# }
        let payload = "{" + names.joined(separator: ",")
        #expect(try UnverifiedJWT(CompactJWT.make(payload: payload + "}")).claims.all.count == count)
        for twice in [0, count / 2, count - 1] {
            let token = CompactJWT.make(payload: payload + #","n\#(twice)":0}"#)
            TokenFault.duplicateMember.expect(of: token, in: .payload)
        }
    }

    /// Comparing these names as characters would take quadratic time.
    ///
    /// A token of the standard length once took seconds.
    @Test func `a name of many accents does not slow the decoder down`() throws {
        let few = (10..<34).map { #""\#($0)":1"# }.joined(separator: ",")
        let accents = String(repeating: "\u{301}", count: 12_000) + String(repeating: "\u{316}", count: 12_000)
        let token = CompactJWT.make(payload: "{\(few),\"\(accents)\":1}")
        TokenFault.tooLong.expect(of: token, in: .payload)
        let short = (0..<150).map { #""\#(String(repeating: "\u{301}\u{316}", count: 60))\#($0)":1"# }
        #expect(
            try UnverifiedJWT(CompactJWT.make(payload: "{\(short.joined(separator: ","))}")).claims.all.count == 150
        )
    }

    /// The names in a critical list are values, and may have any length.
    @Test func `accents in a critical list do not slow the decoder down`() {
        let accents = String(repeating: "\u{301}", count: 8_000) + String(repeating: "\u{316}", count: 8_000)
        let token = CompactJWT.make(header: #"{"alg":"ES256","crit":["\#(accents)"]}"#)
        let error = #expect(throws: JWTDecodingError.self) { try UnverifiedJWT(token) }
        #expect(error?.code == .invalidMember)
        #expect(error?.member == "crit")
    }

    /// Looking up each name in the header one by one took quadratic time.
    @Test func `a long critical list is read completely`() throws {
        let names = (0..<1_500).map { "n\($0)" }
        let header = names.map { #","\#($0)":1"# }.joined()
        let list = names.map { #""\#($0)""# }.joined(separator: ",")
        let token = try UnverifiedJWT(CompactJWT.make(header: #"{"alg":"ES256","crit":[\#(list)]\#(header)}"#))
        #expect(token.header.critical == names)
        let more = CompactJWT.make(header: #"{"alg":"ES256","crit":[\#(list),"absent"]\#(header)}"#)
        #expect(throws: JWTDecodingError.self) { try UnverifiedJWT(more) }
    }

    @Test func `a name of 256 bytes and an ASCII name of any length are read`() throws {
        let name = "\u{E9}" + String(repeating: "a", count: 254)
        #expect(try UnverifiedJWT(CompactJWT.make(payload: #"{"\#(name)":1}"#)).claims[name] == .integer(1))
        let plain = String(repeating: "a", count: 10_000)
        #expect(try UnverifiedJWT(CompactJWT.make(payload: #"{"\#(plain)":1}"#)).claims[plain] == .integer(1))
    }

    /// A token's content is about the user, and an error may be logged.
    @Test(arguments: [
        #"{"email":"ada@example.com","email":"x"}"#, #"{"sub":["ada@example.com"]}"#, #"{"a":"ada@example.com}"#,
        #"{"exp":"ada@example.com"}"#, #"["ada@example.com"]"#, #"{"ada@example.com":1,"ada@example.com":2}"#,
    ])
    func `an error does not repeat the token's content`(payload: String) {
        let error = #expect(throws: JWTDecodingError.self) { try UnverifiedJWT(CompactJWT.make(payload: payload)) }
        let renderings = [error?.description, error.map { "\($0)" }, error?.localizedDescription, error?.member]
        for rendering in renderings { #expect(rendering?.contains("ada") != true) }
        #expect(error?.description.hasSuffix(".") == true)
    }
}
