// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ReferenceBackend

@Suite("Password hashes")
struct PasswordHashTests {
    @Test func `a hash matches only its password`() throws {
        let hash = try PasswordHash(password: "secret", cost: .insecurelyCheap)
        #expect(try hash.matches("secret"))
        #expect(try !hash.matches("Secret"))
        #expect(try !hash.matches(""))
    }

    @Test func `the same password hashes differently each time`() throws {
        let hashes = try (0..<2).map { _ in try PasswordHash(password: "secret", cost: .insecurelyCheap).phc }
        #expect(hashes[0] != hashes[1])
    }

    /// The second vector of [RFC 7914, 12](https://www.rfc-editor.org/rfc/rfc7914#section-12).
    @Test func `the test vector of RFC 7914 matches its password`() throws {
        let salt = Data("NaCl".utf8).base64EncodedString().replacing("=", with: "")
        let hash = "/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWIurzDZLiKjiG/xCSedmDDaxyevuUqD7m2DYMvfoswGQA"
        let stored = try #require(PasswordHash(phc: "$scrypt$ln=10,r=8,p=16$\(salt)$\(hash)"))
        #expect(try stored.matches("password"))
    }

    @Test func `a hash can be written and read back`() throws {
        let hash = try PasswordHash(password: "secret", cost: .insecurelyCheap)
        #expect(try #require(PasswordHash(phc: hash.phc)).matches("secret"))
    }

    @Test(arguments: [
        "", "secret", "$argon2id$v=19$m=1,t=1,p=1$AAAA$AAAA", "$scrypt$ln=40,r=8,p=1$AAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=4,r=8$AAAA$AAAAAAAAAAAAAAAAAAAAAA", "$scrypt$ln=4,r=8,p=1$AAAA$AAAA", "$scrypt$ln=4,r=8,p=1$AAAA$",
    ])
    func `a damaged or too expensive hash is refused`(phc: String) {
        #expect(PasswordHash(phc: phc) == nil)
    }
}
