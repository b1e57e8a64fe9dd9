#if EncryptedFile && canImport(Glibc)
import AuthCore
import Foundation
import Testing

@testable import SecureStore

/// A file of version 1, which must be readable forever.
///
/// Another program, in another language, wrote this file in the layout that the article
/// `ReadingTheEncryptedFileFormat.md` describes, with N = 1024, r = 8 and p = 1. Never change it.
@Suite struct EncryptedFileVectorTests {
    private let scope: StoreScope
    private let passphrase = "correct horse battery staple ü"

    init() throws {
        scope = StoreScope(service: try StoreService("com.example.vector"), account: try StoreAccount("work"))
    }

    @Test func `a file of version 1 opens`() async throws {
        try await EncryptedFileFixture.with { fixture in
            try put(fixture)
            let store = try fixture.store(passphrase, scope: scope)
            #expect(try await store.keys() == Set(try expected.map(\.key)))
            for (key, item) in try expected { #expect(try await store.item(forKey: key) == item) }
        }
    }

    @Test func `a write to a file of version 1 keeps its salt and cost`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let file = try put(fixture)
            let store = try fixture.store(passphrase, scope: scope)
            try await store.setItem(SecretBytes("new".utf8), forKey: try StoreKey("session"))
            #expect(try Data(contentsOf: file).prefix(76) == (try vector.prefix(76)))
            let (key, item) = try expected[1]
            #expect(try await store.item(forKey: key) == item)
        }
    }

    @Test func `the fields have the documented offsets`() throws {
        let header = try FileHeader(of: Array(try vector))
        #expect(header.derivation.cost == ScryptCost(logRounds: 10, blockSize: 8, parallelism: 1))
        #expect(header.derivation.salt == Array(try vector[12..<44]))
        #expect(header.check == Array(try vector[44..<76]))
        #expect(header.contentSize == (try expected.map(\.item.count).reduce(0, +)))
        #expect(header.encoded == Array(try vector.prefix(116)))
    }

    private var expected: [(key: StoreKey, item: SecretBytes)] {
        get throws {
            [
                (try StoreKey("empty"), SecretBytes([])),
                (try StoreKey("every-byte"), SecretBytes(Array(UInt8.min...UInt8.max))),
                (try StoreKey("session"), SecretBytes(#"{"version":1,"refreshToken":"not a real one"}"#.utf8)),
            ]
        }
    }

    @discardableResult
    private func put(_ fixture: EncryptedFileFixture) throws -> URL {
        let file = fixture.file(of: scope)
        try vector.write(to: file)
        return file
    }

    private var vector: Data {
        get throws { try #require(Data(base64Encoded: Self.base64, options: .ignoreUnknownCharacters)) }
    }

    private static let base64 = """
        U0FMTFlFTkMBCggBqjmuJKskC8DFOeDLgSz4vx5mgt5PlsrDP7NLD0Q/YSjfDr+c9Qz3mHJ1DuSE4GuPBQtSTO8qhkmdcSYNfszX
        BgAAAJcAAAEt1aLkra7xAk6xlBkGCHrcVQ/mTAP9JYxx5PMXZ3zYdY0HE5fiSj5gABdhfPbm5EDnLVfXidLCAtvvK7i4NicD1dvM
        pGl1VqdIQJoz8DwJQs4FeWxt9rw2ey1KHGxvfFzF6KzICmNoAJsZSYDzdT29pEmRpP98gmNUGL11X4j2/7keakrjw2CNK41NVP1v
        6a/SRcvW9lh45n4MqW6LTJIKkscJGrXQKgqcRFpxa50ia3zIchNYQdE8J4qIbBCn3lL1Pvk50IHDy+PRwB68MeSCyBYbHtItOsSe
        noEFLmCXCH4tG0mri4ASt4mGQWmT+bKU/1247EEBm36tg1089zQpUBfwI+/NBqIRhdfMDdWkpnI76dtgeiOXY/EbyfWXrxVj1DrC
        4p9+/9g2AF3t9NKMw/+mkUgBZV4Oy/c6Xy5UfDkYKHRVbdhRLEV4Pz6T7FjQmowtnkGQ22jYI7v/LiCa+MzteAnd+Td2MK6mIKjf
        g/ZpLR6uVOMrNawbcMnI0eBialERnSIS4cyx0jvTfSu/2HJnE539krOAq2dgujqB4hDNAzlgox8h8YQodEbPtJTfUMUVNR72FrM6
        Yv+5YkV6/UoyfelXdC3M7O6tX2osqssAt0hZfgEgRBQPRcVizxce6quc6Q==
        """
}
#endif
