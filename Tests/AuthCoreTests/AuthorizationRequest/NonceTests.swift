// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

@Suite struct NonceTests {
    @Test func `a nonce has 32 bytes in 64 lower-case hexadecimal characters`() {
        let nonce = Nonce().unredacted
        #expect(nonce.utf8.count == 64)
        #expect(nonce.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
    }

    @Test func `every byte of the generator is in the nonce`() {
        var generator = CountingGenerator()
        let nonce = Nonce(using: &generator)
        #expect(nonce.unredacted == "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
    }

    /// The expected hash comes from another implementation of SHA-256.
    @Test func `the hash covers the hexadecimal characters, not the bytes`() {
        var generator = CountingGenerator()
        let nonce = Nonce(using: &generator)
        #expect(nonce.sha256 == "6c86c6aac5fb24bcf5d9939cb7d7d5645ce39418f449e03b262dd4fa14b4b92b")
    }

    @Test func `the hash has 64 lower-case hexadecimal characters and differs from the nonce`() {
        let nonce = Nonce()
        #expect(nonce.sha256.utf8.count == 64)
        #expect(nonce.sha256.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
        #expect(nonce.sha256 != nonce.unredacted)
    }

    @Test func `two nonces differ`() {
        let nonces = (0..<64).map { _ in Nonce().unredacted }
        #expect(Set(nonces).count == nonces.count)
        #expect(Nonce() != Nonce())
    }

    @Test func `nonces with the same bytes are equal`() {
        var one = CountingGenerator()
        var other = CountingGenerator()
        #expect(Nonce(using: &one) == Nonce(using: &other))
    }
}
