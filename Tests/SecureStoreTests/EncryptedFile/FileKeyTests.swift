// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
import AuthCore
import SecureStore
import Testing

@Suite struct FileKeyTests {
    /// 32 bytes that are no UTF-8.
    private let random = Array(repeating: 0xA5 as UInt8, count: 32)

    @Test func `the description and the dump of a key do not contain it`() throws {
        let key = try FileKey(SecretBytes(random))
        var dumped = ""
        dump(key, to: &dumped)
        #expect(!"\(key) \(String(reflecting: key)) \(dumped)".contains("165"))
    }

    @Test(arguments: [32, 33, 64, 4_096]) func `a key keeps its bytes`(count: Int) throws {
        let bytes = random + Array(repeating: 0, count: count - 32)
        #expect(try FileKey(SecretBytes(bytes)).unredacted == bytes)
    }

    @Test(arguments: [0, 1, 16, 31, 4_097]) func `a key that is too short or too long is refused`(count: Int) {
        #expect(throws: SecureStoreError(.invalidPassphrase)) {
            try FileKey(SecretBytes(Array(repeating: 0xA5, count: count)))
        }
    }

    @Test(arguments: [
        "a passphrase that is as long as a key", "correct horse battery staple, ünd länger",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n", String(repeating: "\0", count: 32),
    ])
    func `text is refused, because it may be a passphrase that can be guessed`(text: String) {
        let error = #expect(throws: SecureStoreError(.invalidPassphrase)) { try FileKey(SecretBytes(text.utf8)) }
        #expect(
            error?.description
                == """
                A passphrase of 1 to 4096 bytes, or a key of 32 to 4096 random bytes, is required (the key is text).
                """
        )
    }
}
#endif
