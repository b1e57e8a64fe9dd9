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
    /// Keeps what is left of a session that has ended here until the provider can be told.
    ///
    /// - Returns: Whether it is kept.
    func keepEnded(_ grant: EndedGrant) async -> Bool {
        do {
            let isOneGivenUp = try await changeEndedSessions { $0.add(grant) }
            if isOneGivenUp { logger.warning("too many sign-outs wait to be told of; the oldest was given up") }
            return true
        } catch {
            logger.warning("a sign-out that the provider could not be told of could not be written down")
            return false
        }
    }

    /// Forgets a session that nothing is left to tell of.
    func forgetEnded(_ grant: EndedGrant) async {
        do {
            try await changeEndedSessions { $0.grants.removeAll { $0.isSame(as: grant) } }
        } catch {
            // Told once more, later: a provider takes that for done.
            logger.debug("a sign-out that was told of is still written down")
        }
    }

    /// Whether a sign-out is still to be told; true also where the store can't say.
    var hasUntoldSignOuts: Bool {
        get async {
            do {
                return try EndedSessions(try await store.item(forKey: EndedSessions.key)).grants.isEmpty == false
            } catch {
                return true
            }
        }
    }

    /// Tells the provider of sign-outs that it could not be told of before.
    ///
    /// Called at every restore, sign-out and beginning of a sign-in; what still can't be told stays. All at once: one whose
    /// provider does not answer keeps nobody waiting but itself.
    /// Cancelled, it stops asking.
    func tellEndedSessions() async {
        let telling = telling ?? Task { await tellAll() }
        self.telling = telling
        await withTaskCancellationHandler {
            await telling.value
        } onCancel: {
            telling.cancel()
        }
    }

    /// Tells of earlier sign-outs before a sign-in begins, for five seconds at most.
    ///
    /// - Throws: `CancellationError`.
    func tellEndedSessionsBeforeSignIn() async throws {
        // What can't be read now can't be told now.
        guard (try? await store.item(forKey: EndedSessions.key)) != nil else { return try Task.checkCancellation() }
        try await waitBriefly { await self.tellEndedSessions() }
    }

    /// No revocation may be on its way while new tokens are asked for: at a provider both may be of one grant, and the
    /// later one would take the new tokens along.
    func stopTelling() async {
        telling?.cancel()
        await telling?.value
    }

    private func tellAll() async {
        defer { telling = nil }
        do {
            let kept = try EndedSessions(try await store.item(forKey: EndedSessions.key)).grants
            var settled: [EndedGrant] = []
            await withTaskGroup(of: EndedGrant?.self) { group in
                for grant in kept { group.addTask { await self.isSettled(grant) ? grant : nil } }
                for await grant in group { if let grant { settled.append(grant) } }
            }
            guard !settled.isEmpty else { return }
            try await changeEndedSessions { [settled] ended in
                ended.grants.removeAll { grant in settled.contains { $0.isSame(as: grant) } }
            }
        } catch {
            logger.debug("earlier sign-outs could not be told of now")
        }
    }

    /// Whether nothing is left to tell of a session: it is told, or can't ever be.
    private func isSettled(_ grant: EndedGrant) async -> Bool {
        guard !grant.isGivenUp(at: clock.date()) else { return true }
        // What can't be read may be a newer version's.
        guard let provider = try? grant.provider.provider() else { return false }
        // At a provider both may be of one grant: it waits until this person has signed out again.
        guard await !isSignedIn(grant.subject.map { User(id: $0) }, at: provider) else { return false }
        // Over this session's transport, and with the settings that it has now.
        let settings = backend.provider?.settings ?? provider.settings
        do {
            let there = OpenIDProvider(metadata: provider.metadata, client: provider.client, settings: settings)
            try await grant.revoke(at: there)
            return true
        } catch let error as RevocationError {
            return !error.retryHelps
        } catch is CancellationError {
            return false
        } catch {
            // What is kept is no token.
            return true
        }
    }

    /// Whether a person may be signed in at a provider, here or by what the store says; true also where it can't say,
    /// and for two whom nobody has named.
    private func isSignedIn(_ person: User?, at provider: OpenIDProvider) async -> Bool {
        do {
            let stored = try await store.item(forKey: SessionRecord.key).map { try SessionRecord($0) }
            return [stored, held?.record].compactMap(\.self).contains { record in
                let mayBeSame = User.isSame(record.user, as: person) || (record.user == nil && person == nil)
                return mayBeSame && record.backend.isSame(as: .openID(provider))
            }
        } catch {
            logger.debug("who is signed in can't be said now; an earlier sign-out waits")
            return true
        }
    }

    @discardableResult
    private func changeEndedSessions<Value: Sendable>(
        _ change: @escaping @Sendable (inout EndedSessions) -> Value
    ) async throws -> Value {
        try await write { store in
            for _ in 0..<Self.journalAttempts {
                let item = try await store.item(forKey: EndedSessions.key)
                var ended = try EndedSessions(item)
                let value = change(&ended)
                if try await Self.replace(item, in: store, with: ended) { return value }
            }
            throw SecureStoreError(.busy)
        }
    }

    private static func replace(
        _ item: SecretBytes?,
        in store: any SecureStore,
        with ended: EndedSessions
    ) async throws -> Bool {
        if ended.grants.isEmpty {
            guard let item else { return true }
            return try await store.removeItem(forKey: EndedSessions.key, ifEquals: item)
        }
        // Also where nothing is there yet: another process may be about to write its own.
        return try await store.replaceItem(forKey: EndedSessions.key, ifEquals: item, with: try ended.encoded())
    }
}
