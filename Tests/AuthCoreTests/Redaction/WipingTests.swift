// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import AuthCore
import Testing

/// The removal of a secret from the process's memory when its last copy is released.
///
/// Each secret is 16 KiB of dots followed by random letters. The search needs memory too, and reuses a freed block from
/// its beginning.
@Suite struct WipingTests {
    private static let dots = 16_000

    /// Random letters in their own memory.
    @safe private final class Needle {
        /// The dots, followed by the letters.
        private let block = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: WipingTests.dots + 48)

        init() {
            unsafe block.initialize(repeating: UInt8(ascii: "."))
            for index in unsafe block.indices.dropFirst(WipingTests.dots) {
                unsafe block[index] = .random(in: 0x61...0x7A)
            }
        }

        deinit { unsafe block.deallocate() }

        /// The number of places in this process's memory that contain the letters, this one excluded.
        var occurrences: Int {
            get throws {
                let letters = unsafe UnsafeMutableBufferPointer(rebasing: block[WipingTests.dots...])
                return unsafe try ProcessMemory.occurrences(of: letters)
            }
        }

        var secret: SecretBytes { unsafe SecretBytes(block) }
        var text: String { unsafe String(decoding: block, as: UTF8.self) }
        var letters: String { unsafe String(decoding: block[WipingTests.dots...], as: UTF8.self) }
        /// A block like that of a secret, but freed without being overwritten.
        var ordinary: ManagedBuffer<Void, UInt8> {
            let buffer = ManagedBuffer<Void, UInt8>.create(minimumCapacity: WipingTests.dots + 48) { _ in }
            unsafe buffer.withUnsafeMutablePointerToElements { elements in
                guard let base = unsafe block.baseAddress else { return }
                unsafe elements.initialize(from: base, count: block.count)
            }
            return buffer
        }
    }

    @Test func `a secret stays in memory until its last copy is released`() throws {
        let needle = Needle()
        try #require(needle.occurrences == 0)
        var secret: SecretBytes? = needle.secret
        var copies: [SecretBytes]? = [SecretBytes](repeating: try #require(secret), count: 3)
        #expect(try needle.occurrences == 1)
        secret = nil
        #expect(try needle.occurrences == 1)
        #expect(copies?.count == 3)
        copies = nil
        #expect(try needle.occurrences == 0)
    }

    /// The caller's text remains in memory, but the token's own copy does not.
    @Test func `a released token leaves no copy in memory`() throws {
        let needle = Needle()
        let text = needle.text
        let before = try needle.occurrences
        try #require(before >= 1)
        var token: AccessToken? = try AccessToken(text)
        var password: Password? = Password(text)
        #expect(try needle.occurrences == before + 2)
        #expect(token != nil && password != nil)
        token = nil
        password = nil
        #expect(try needle.occurrences == before)
        withExtendedLifetime(text) {}
    }

    @Test func `comparing leaves no copy in memory`() throws {
        let needle = Needle()
        let verifier = try CodeVerifier(needle.letters)
        let other = CodeVerifier()
        let before = try needle.occurrences
        #expect(verifier != other)
        // There are fewer if memory that the test itself freed has been reused.
        #expect(try needle.occurrences <= before)
    }

    /// Verifies the check itself: a block that is freed without being overwritten is still found.
    @Test func `bytes that are not wiped stay in memory`() throws {
        let needle = Needle()
        var ordinary: ManagedBuffer<Void, UInt8>? = needle.ordinary
        #expect(try needle.occurrences == 1)
        #expect(ordinary != nil)
        ordinary = nil
        #expect(try needle.occurrences >= 1)
    }
}
#endif
