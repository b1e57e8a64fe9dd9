// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

@testable import SecureStore

@Suite struct RemovalNoteTests {
    @Test func `a note reads back as it was written`() throws {
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        let removals: [StoreKey: RemovalNote.Subject] = [
            StoreKey(trusted: "b"): .any, StoreKey(trusted: "a"): .init(SecretBytes("abc")),
            StoreKey(trusted: "a.b"): .any,
        ]
        let text = RemovalNote.text(removals)
        #expect(text == "sallyport-removals 1\na \(hash)\na.b\nb\n")
        #expect(try RemovalNote.removals(Array(text.utf8)) == removals)
    }

    @Test(arguments: ["sallyport-removals 2\n", "sallyport-removals 17\nwhat it says then\n"])
    func `a note of a newer version throws newerFormat`(text: String) {
        #expect(throws: SecureStoreError(.newerFormat)) { try RemovalNote.removals(Array(text.utf8)) }
    }

    @Test(arguments: [
        "", "\n", "sallyport-removals", "sallyport-removals 1", "other 1\na\n", "sallyport-removals 0\na\n",
        "sallyport-removals 01\na\n", "sallyport-removals +1\na\n", "sallyport-removals 1\na",
        "sallyport-removals 1\na b\n", "sallyport-removals 1\na/b\n", "sallyport-removals 1\nb\na\n",
        "sallyport-removals 1\na\na\n", "sallyport-removals 1\n\na\n", "sallyport-removals 1\n a\n",
        "sallyport-removals 1\na \n", "sallyport-removals 1\na \(String(repeating: "0", count: 63))\n",
        "sallyport-removals 1\na \(String(repeating: "A", count: 64))\n",
        "sallyport-removals 1\na \(String(repeating: "0", count: 64)) \n", "sallyport-removals 1\r\na\r\n",
        "sallyport-removals 1\na\0\n",
    ])
    func `an invalid note throws damaged`(text: String) {
        #expect(throws: SecureStoreError(.damaged)) { try RemovalNote.removals(Array(text.utf8)) }
    }

    @Test func `a note that is not UTF-8 throws damaged`() {
        let bytes = Array("sallyport-removals 1\n".utf8) + [0xFF, 0x0A]
        #expect(throws: SecureStoreError(.damaged)) { try RemovalNote.removals(bytes) }
    }
}
