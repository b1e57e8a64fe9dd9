// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthSession
import Logging
import OpenIDConnect
import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The tokens of programs in one item of a store, of which each process reads and writes its own.
struct ProgramTokenStore: Sendable {
    static let key = StoreKey(trusted: "program")

    /// The largest number of tokens.
    private static let limit = 16
    /// The longest wait for another process, whose request takes longer only if its server hangs.
    private static let timeout = Duration.seconds(30)

    struct Form: StoredForm {
        var version = 1
        var tokens: [String: StoredTokens] = [:]
    }

    /// The digests that tell a token from all others, so that none is used for another program or API.
    struct Names: Sendable {
        /// Whose token it is.
        let owner: String
        /// Whose it is and what it is for.
        let token: String

        init(_ grant: ProgramGrant, _ provider: OpenIDProvider, _ target: TokenTarget, usesDPoP: Bool) {
            var target = target
            target.scope = target.scope.map { Scope($0.values.sorted().joined(separator: " ")) }
            owner = Self.digest([provider.id, grant.type, grant.identity])
            // The target may leave the API to the profile.
            token = "\(owner).\(Self.digest([target, provider.profile.resources.sorted(), usesDPoP]))"
        }

        private static func digest(_ values: [any Encodable]) -> String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            // A value that JSON can't express, such as an infinite claim, is like no other.
            let bytes = values.map { (try? encoder.encode($0)).map { Array($0) } ?? RandomBytes.make(32) }
            return Hexadecimal.encode(SecretBytes(Array(bytes.joined(separator: [0]))).sha256)
        }
    }

    private let store: any SecureStore
    private let names: Names
    private let lock: LockPolicy
    private let logger: Logger

    init(store: any SecureStore, names: Names, lock: LockPolicy, _ logger: Logger) {
        (self.store, self.names, self.lock, self.logger) = (store, names, lock, logger)
    }

    /// Returns the token; nil if there is none, or the store can't be read.
    func tokens() async -> TokenSet? {
        do {
            return try await form().tokens[names.token]?.tokens
        } catch {
            logger.warning("the store of the program's token can't be read (\(SecureStoreError(cause: error).code))")
            return nil
        }
    }

    /// Keeps a token for other processes, under the lock.
    func save(_ tokens: TokenSet, at now: Date) async {
        do {
            var form = try await form()
            form.tokens[names.token] = nil
            let left = form.tokens.filter { $0.value.tokens.lifetime.expiresAt.map { $0 > now } ?? true }
            let issued = { (stored: StoredTokens) in stored.tokens.lifetime.issuedAt ?? .distantPast }
            let newest = left.sorted { issued($0.value) > issued($1.value) }.prefix(Self.limit - 1)
            form.tokens = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
            form.tokens[names.token] = StoredTokens(tokens)
            try await write(form)
        } catch {
            logger.warning("the program's token can't be stored (\(SecureStoreError(cause: error).code))")
        }
    }

    /// Removes tokens of this program, for whatever API.
    ///
    /// - Throws: `SecureStoreError`; `CancellationError`.
    @discardableResult
    func remove(where isRemoved: @escaping (TokenSet) -> Bool) async throws -> [TokenSet] {
        try await whileLocked {
            var form = try await form()
            let removed = form.tokens.filter { $0.key.hasPrefix("\(names.owner).") && isRemoved($0.value.tokens) }
            guard !removed.isEmpty else { return [] }
            for name in removed.keys { form.tokens[name] = nil }
            if form.tokens.isEmpty { try await store.removeItem(forKey: Self.key) } else { try await write(form) }
            return removed.values.map(\.tokens)
        }
    }

    /// Runs work while no other process requests a token; without the lock if it can't be had in time.
    func whileLocked<Value>(_ work: () async throws -> Value) async throws -> Value {
        // The work may ask a session, and fail as `busy` itself: it is not repeated.
        var hasBegun = false
        do {
            let lock = RefreshLock(lock, of: store, timeout: Self.timeout, logger)
            return try await lock.whileHeld { _ in
                hasBegun = true
                return try await work()
            }
        } catch let error as AuthSessionError where error.code == .busy && !hasBegun {
            logger.warning("another process keeps the lock of the program's token; this one goes on without it")
            return try await work()
        }
    }

    private func form() async throws -> Form {
        guard let item = try await store.item(forKey: Self.key) else { return Form() }
        guard item.count <= SecretBytes.maximumItemSize,
            let form = try? JSONDecoder.ofStoredForms.decode(Form.self, from: Data(item.unredacted)), form.version == 1,
            form.tokens.count <= Self.limit
        else {
            logger.warning("the stored tokens of programs are damaged and will be replaced")
            return Form()
        }
        return form
    }

    private func write(_ form: Form) async throws {
        try await store.setItem(try form.encoded(), forKey: Self.key)
    }
}
