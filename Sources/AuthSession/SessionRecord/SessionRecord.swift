import APIClient
import AuthCore
import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The whole session as one item of the store: written whole, read whole, readable forever.
///
/// It carries what a refresh needs, so that a stored session works with nothing else.
struct SessionRecord: Sendable, Equatable {
    /// How many times the tokens have been replaced since the sign-in.
    var generation: Int
    var tokens: TokenSet
    var user: User?
    var backend: SessionBackend

    /// The item's name in the store.
    static let key = StoreKey(trusted: "session")
    /// Where an item is kept that could not be read and had to make room for a new session.
    static let unreadableKey = StoreKey(trusted: "session.unreadable")

    /// The bytes to store.
    ///
    /// Secret.
    func encoded() throws -> SecretBytes {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return SecretBytes(try encoder.encode(SessionRecordFormat.Version1(self)))
    }

    /// Reads a stored record.
    ///
    /// - Throws: ``SessionRecordError`` (`damaged`, `unknownVersion`).
    init(_ item: SecretBytes) throws(SessionRecordError) {
        let data = Data(item.unredacted)
        guard let header = try? JSONDecoder().decode(SessionRecordFormat.Header.self, from: data) else {
            throw SessionRecordError(.damaged)
        }
        guard header.version == 1 else { throw SessionRecordError(.unknownVersion) }
        do {
            self = try JSONDecoder().decode(SessionRecordFormat.Version1.self, from: data).record()
        } catch {
            throw SessionRecordError(.damaged)
        }
    }

    init(generation: Int, tokens: TokenSet, user: User?, backend: SessionBackend) {
        self.generation = generation
        self.tokens = tokens
        self.user = user
        self.backend = backend
    }
}
