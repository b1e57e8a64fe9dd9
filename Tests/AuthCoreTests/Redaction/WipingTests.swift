#if os(Linux)
import AuthCore
import Testing

/// What a secret held is gone from the process's memory when its last copy is released.
///
/// The only suite that reads memory; what other tests do meanwhile does not hold these random bytes.
@Suite struct WipingTests {
    /// Random bytes in memory of their own, more than Swift keeps inside a value.
    @safe private final class Needle {
        private let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 48)

        init() {
            // Letters, so that they are text too.
            unsafe bytes.initialize(repeating: 0)
            for index in unsafe bytes.indices { unsafe bytes[index] = .random(in: 0x61...0x7A) }
        }

        deinit { unsafe bytes.deallocate() }

        var occurrences: Int { get throws { unsafe try ProcessMemory.occurrences(of: bytes) } }
        var text: String { unsafe String(decoding: bytes, as: UTF8.self) }
        var array: [UInt8] { unsafe Array(bytes) }
        var secret: SecretBytes { unsafe SecretBytes(bytes) }
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
        let verifier = try CodeVerifier(needle.text)
        let other = CodeVerifier()
        let before = try needle.occurrences
        #expect(verifier != other)
        #expect(verifier.codeChallenge != other.codeChallenge)
        #expect(try needle.occurrences == before)
    }

    /// The check itself: bytes that are kept as others keep them are still there when they are released.
    @Test func `an ordinary array is found`() throws {
        let needle = Needle()
        let array: [UInt8]? = needle.array
        #expect(try needle.occurrences == 1)
        withExtendedLifetime(array) {}
    }
}
#endif
