import AuthCore
import Logging
import OpenIDConnect
import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AuthSession {
    /// Keeps a session that has ended here until the provider can be told.
    ///
    /// - Returns: Whether it is kept.
    func keepEnded(_ record: SessionRecord) async -> Bool {
        do {
            return try await changeEndedSessions { try $0.add(record) }
        } catch {
            logger.warning("a sign-out that the provider could not be told of could not be written down")
            return false
        }
    }

    /// Forgets a session that nothing is left to tell of.
    func forgetEnded(_ record: SessionRecord) async {
        do {
            let item = Data(try record.encoded().unredacted)
            _ = try await changeEndedSessions { $0.records.removeAll { $0 == item } }
        } catch {
            // Told once more, later: a provider takes that for done.
            logger.debug("a sign-out that was told of is still written down")
        }
    }

    /// Tells the provider of sign-outs that it could not be told of before.
    ///
    /// Called at every restore, sign-out and beginning of a sign-in; what still can't be told stays.
    func tellEndedSessions() async {
        guard !isTellingEnded else { return }
        isTellingEnded = true
        defer { isTellingEnded = false }
        do {
            let kept = EndedSessions(try await store.item(forKey: EndedSessions.key)).records
            var settled: Set<Data> = []
            for item in kept where await isSettled(SecretBytes(item)) { settled.insert(item) }
            guard !settled.isEmpty else { return }
            _ = try await changeEndedSessions { [settled] ended in ended.records.removeAll { settled.contains($0) } }
        } catch {
            logger.debug("earlier sign-outs could not be told of now")
        }
    }

    /// Whether nothing is left to tell of a session: it is told, or can't ever be.
    private func isSettled(_ item: SecretBytes) async -> Bool {
        guard let record = try? SessionRecord(item), let provider = record.backend.provider else { return true }
        // At a provider both may be of one grant: it waits until this person has signed out again.
        if let held, record.user?.id == held.record.user?.id, record.backend.isSame(as: backend) { return false }
        // Over this session's transport, and with the settings that it has now.
        let settings = backend.provider?.settings ?? provider.settings
        let there = OpenIDProvider(metadata: provider.metadata, client: provider.client, settings: settings)
        do {
            _ = try await OpenIDAuthority(provider: there, clock: clock).signOut(record.tokens)
            return true
        } catch let error as RevocationError {
            return !error.retryHelps
        } catch {
            return false
        }
    }

    private func changeEndedSessions(
        _ change: @escaping @Sendable (inout EndedSessions) throws -> Void
    ) async throws -> Bool {
        try await write { store in
            for _ in 0..<Self.journalAttempts {
                let item = try await store.item(forKey: EndedSessions.key)
                var ended = EndedSessions(item)
                try change(&ended)
                if try await Self.replace(item, in: store, with: ended) { return true }
            }
            throw SecureStoreError(.busy)
        }
    }

    private static func replace(
        _ item: SecretBytes?,
        in store: any SecureStore,
        with ended: EndedSessions
    ) async throws -> Bool {
        if ended.records.isEmpty {
            guard let item else { return true }
            return try await store.removeItem(forKey: EndedSessions.key, ifEquals: item)
        }
        // Also where nothing is there yet: another process may be about to write its own.
        return try await store.replaceItem(forKey: EndedSessions.key, ifEquals: item, with: try ended.encoded())
    }
}
