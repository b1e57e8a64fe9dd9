// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SecureStore

@Suite struct RemovalNoteTests {
    @Test func `a note reads back as it was written`() throws {
        let keys: Set = [StoreKey(trusted: "b"), StoreKey(trusted: "a")]
        #expect(RemovalNote.text(keys) == "sallyport-removals 1\na\nb\n")
        #expect(try RemovalNote.keys(Array(RemovalNote.text(keys).utf8)) == keys)
    }

    @Test(arguments: ["sallyport-removals 2\n", "sallyport-removals 17\nwhat it says then\n"])
    func `a note of a newer version throws newerFormat`(text: String) {
        #expect(throws: SecureStoreError(.newerFormat)) { try RemovalNote.keys(Array(text.utf8)) }
    }

    @Test(arguments: [
        "", "\n", "sallyport-removals", "sallyport-removals 1", "other 1\na\n", "sallyport-removals 0\na\n",
        "sallyport-removals 01\na\n", "sallyport-removals +1\na\n", "sallyport-removals 1\na",
        "sallyport-removals 1\na b\n", "sallyport-removals 1\na/b\n", "sallyport-removals 1\nb\na\n",
        "sallyport-removals 1\na\na\n", "sallyport-removals 1\n\na\n", "sallyport-removals 1\n a\n",
        "sallyport-removals 1\na \n", "sallyport-removals 1\r\na\r\n", "sallyport-removals 1\na\0\n",
    ])
    func `an invalid note throws damaged`(text: String) {
        #expect(throws: SecureStoreError(.damaged)) { try RemovalNote.keys(Array(text.utf8)) }
    }

    @Test func `a note that is not UTF-8 throws damaged`() {
        let bytes = Array("sallyport-removals 1\n".utf8) + [0xFF, 0x0A]
        #expect(throws: SecureStoreError(.damaged)) { try RemovalNote.keys(bytes) }
    }
}
