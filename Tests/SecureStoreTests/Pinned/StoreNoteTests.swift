// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SecureStore

@Suite struct StoreNoteTests {
    private let title = "sallyport-store 1\nstamp a\n"

    @Test func `a note reads back as it was written`() throws {
        var note = StoreNote()
        note.home = StoreLocationName(trusted: "keyring")
        note.removals[StoreLocationName(trusted: "file")] = .all
        note.removals[StoreLocationName(trusted: "keyring")] = .items([StoreKey(trusted: "b"), StoreKey(trusted: "a")])
        note = note.stamped()
        #expect(try StoreNote(Array(note.text.utf8)) == note)
        #expect(note.text.hasSuffix("home keyring\nremove file *\nremove keyring a\nremove keyring b\n"))
    }

    @Test func `two stamped notes with the same content are not equal`() {
        var note = StoreNote()
        note.home = StoreLocationName(trusted: "keyring")
        #expect(note.stamped() != note.stamped())
    }

    @Test func `a note of the current version is read`() throws {
        let note = try StoreNote(Array("sallyport-store 1\nstamp a\nhome keyring\nremove file *\n".utf8))
        #expect(note.home?.name == "keyring")
        #expect(note.removals == [StoreLocationName(trusted: "file"): .all])
    }

    @Test(arguments: ["sallyport-store 2\n", "sallyport-store 17\nwhat it says then\n"])
    func `a note of a newer version throws newerFormat`(text: String) {
        #expect(throws: SecureStoreError(.newerFormat)) { try StoreNote(Array(text.utf8)) }
    }

    @Test(arguments: [
        "", "\n", "sallyport-store", "sallyport-store 1", "sallyport-store 1\n", "other 1\nstamp a\n",
        "sallyport-store 0\nstamp a\n", "sallyport-store 01\nstamp a\n", "sallyport-store +1\nstamp a\n",
        "sallyport-store 1\nhome keyring\n", "sallyport-store 1\nstamp a\nhome keyring",
        "sallyport-store 1\nstamp a\nhome\n", "sallyport-store 1\nstamp a\nhome a b\n",
        "sallyport-store 1\nstamp a\nhome a/b\n", "sallyport-store 1\nstamp a\nhome a\nhome b\n",
        "sallyport-store 1\nstamp a\nremove file\n", "sallyport-store 1\nstamp a\nremove file *\nremove file a\n",
        "sallyport-store 1\nstamp a\nremove file b\nremove file a\n",
        "sallyport-store 1\nstamp a\nremove file a\nremove file a\n",
        "sallyport-store 1\nstamp a\n\nhome a\n", "sallyport-store 1\nstamp a\nhome  a\n",
        "sallyport-store 1\nstamp a\nhome a \n", "sallyport-store 1\nstamp a\nelse a\n",
        "sallyport-store 1\r\nstamp a\r\n", "sallyport-store 1\nstamp a\nhome a\0\n",
    ])
    func `an invalid note throws damaged`(text: String) {
        #expect(throws: SecureStoreError(.damaged)) { try StoreNote(Array(text.utf8)) }
    }

    @Test func `a note that is not UTF-8 throws damaged`() {
        #expect(throws: SecureStoreError(.damaged)) { try StoreNote(Array(title.utf8) + [0xFF, 0x0A]) }
    }
}
