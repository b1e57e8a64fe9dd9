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

        private struct Owner: Encodable {
            let server: AuthorityID
            let grant: String
            let identity: [JSONValue]
        }

        private struct Use: Encodable {
            let target: TokenTarget
            /// The target may leave the API to the profile.
            let resources: [String]
            let usesDPoP: Bool
        }

        init(_ grant: ProgramGrant, _ provider: OpenIDProvider, _ target: TokenTarget, usesDPoP: Bool) {
            var target = target
            target.scope = target.scope.map { Scope($0.values.sorted().joined(separator: " ")) }
            let use = Use(target: target, resources: provider.profile.resources.sorted(), usesDPoP: usesDPoP)
            owner = Self.digest(Owner(server: provider.id, grant: grant.type, identity: grant.identity))
            token = "\(owner).\(Self.digest(use))"
        }

        private static func digest(_ value: some Encodable) -> String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            // A value that JSON can't express, such as an infinite claim, is like no other.
            let bytes = (try? encoder.encode(value)).map { Array($0) } ?? RandomBytes.make(32)
            return Hexadecimal.encode(SecretBytes(bytes).sha256)
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
            let newest = left.sorted { $0.value.issuedAt > $1.value.issuedAt }.prefix(Self.limit - 1)
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
        var hasBegun = false
        let lock: (any ProcessLock)?
        switch self.lock {
        case .one(let given): lock = given
        case .ofTheStore: lock = await store.protection == .memory ? nil : SessionLock(for: store.scope)
        case .none: lock = nil
        }
        guard let lock else { return try await work() }
        do {
            return try await lock.withLock(timeout: Self.timeout) {
                hasBegun = true
                return try await work()
            }
        } catch let error as SecureStoreError where !hasBegun {
            logger.warning("no lock between processes can be had (\(error.code)); the program goes on without it")
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

extension StoredTokens {
    fileprivate var issuedAt: Date { tokens.lifetime.issuedAt ?? .distantPast }
}
