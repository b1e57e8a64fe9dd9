#if os(Linux)
import AuthCore
import Testing

/// What a secret held is gone from the process's memory when its last copy is released.
///
/// Each secret is 16 KiB of dots with random letters at the end: the search needs memory too, and what it uses again of
/// a block that was given back begins at the front.
@Suite struct WipingTests {
    private static let dots = 16_000

    /// Random letters in memory of their own.
    @safe private final class Needle {
        /// Dots, and the letters behind.
        private let block = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: WipingTests.dots + 48)

        init() {
            unsafe block.initialize(repeating: UInt8(ascii: "."))
            for index in unsafe block.indices.dropFirst(WipingTests.dots) {
                unsafe block[index] = .random(in: 0x61...0x7A)
            }
        }

        deinit { unsafe block.deallocate() }

        /// How often the letters lie in this process's memory, this place left out.
        var occurrences: Int {
            get throws {
                let letters = unsafe UnsafeMutableBufferPointer(rebasing: block[WipingTests.dots...])
                return unsafe try ProcessMemory.occurrences(of: letters)
            }
        }

        var secret: SecretBytes { unsafe SecretBytes(block) }
        var text: String { unsafe String(decoding: block, as: UTF8.self) }
        var letters: String { unsafe String(decoding: block[WipingTests.dots...], as: UTF8.self) }
        /// A block as a secret's that is given back without being overwritten.
        var ordinary: ManagedBuffer<Void, UInt8> {
            let buffer = ManagedBuffer<Void, UInt8>.create(minimumCapacity: WipingTests.dots + 48) { _ in }
            unsafe buffer.withUnsafeMutablePointerToElements { elements in
                guard let base = unsafe block.baseAddress else { return }
                unsafe elements.initialize(from: base, count: block.count)
            }
            return buffer
        }
    }

    @Test func `bytes are there while a copy lives, and gone when the last one is released`() throws {
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

    /// The text that a token is made of is the caller's, and stays; what the token itself held does not.
    @Test func `a token leaves nothing behind that the caller did not have`() throws {
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

    @Test func `comparing and hashing leave no copy`() throws {
        let needle = Needle()
        let verifier = try CodeVerifier(needle.letters)
        let other = CodeVerifier()
        let before = try needle.occurrences
        #expect(verifier != other)
        #expect(verifier.codeChallenge != other.codeChallenge)
        // Fewer where the memory of what the test itself gave back is in use again meanwhile.
        #expect(try needle.occurrences <= before)
    }

    /// The check itself: what is given back without being overwritten is still found.
    @Test func `what is not wiped stays`() throws {
        let needle = Needle()
        var ordinary: ManagedBuffer<Void, UInt8>? = needle.ordinary
        // More than one where a search beside this one has just read over it.
        #expect(try needle.occurrences >= 1)
        #expect(ordinary != nil)
        ordinary = nil
        #expect(try needle.occurrences >= 1)
    }
}
#endif
