// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
import AuthCore
import SecureStore
import Testing

@Suite struct PassphraseTests {
    @Test func `the description and the dump of a passphrase do not contain it`() throws {
        let passphrase = try Passphrase("open sesame")
        var dumped = ""
        dump(passphrase, to: &dumped)
        #expect(!"\(passphrase) \(String(reflecting: passphrase)) \(dumped)".contains("sesame"))
    }

    @Test(arguments: ["x", String(repeating: "x", count: 4_096), "é", "e\u{301}", "ends with a newline\n", "a\0b"])
    func `a passphrase keeps the UTF-8 bytes of its text unchanged`(text: String) throws {
        #expect(try Passphrase(text).unredacted == Array(text.utf8))
    }

    @Test func `the composed and the decomposed form of a letter make different passphrases`() throws {
        #expect(try Passphrase("é") != Passphrase("e\u{301}"))
        #expect(try Passphrase("é") == Passphrase("é"))
    }

    @Test(arguments: ["", String(repeating: "x", count: 4_097)])
    func `a text that is empty or too long is rejected`(text: String) {
        #expect(throws: SecureStoreError(.invalidPassphrase)) { try Passphrase(text) }
    }
}
#endif
