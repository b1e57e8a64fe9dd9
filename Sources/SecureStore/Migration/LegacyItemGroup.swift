// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// Several items of one older install that are read, moved and removed as one value.
///
///     let group = try LegacyItemGroup(
///         LegacyKeyringItem.libsecret(older, service: "com.example.app", account: "refreshToken"),
///         with: [access: LegacyKeyringItem.libsecret(older, service: "com.example.app", account: "accessToken")]
///     )
///
/// The main item decides: without it there is no value, whatever the other items are. The others, the companions, only
/// add to it. A companion that is missing or damaged is left out. One that can't be read now is an error, because a
/// later read would otherwise return another value.
///
/// A removal begins with the main item. So a process that is killed in between leaves no value that could come back.
/// ``removeRemainder()`` and a sign-out remove the companions that are left.
public struct LegacyItemGroup: LegacyItemSource {
    /// The name of the location: the main item's.
    public var name: StoreLocationName { main.name }
    private let main: any LegacyItemSource
    private let companions: [StoreKey: any LegacyItemSource]

    /// The number of attempts at a step that another program's writes make invalid.
    private static let attempts = 3

    /// Creates a group.
    ///
    /// - Parameters:
    ///   - main: The item without which there is no value.
    ///   - companions: The items that add to it, by the names that ``Values`` uses. Not the main item.
    public init(_ main: any LegacyItemSource, with companions: [StoreKey: any LegacyItemSource]) {
        (self.main, self.companions) = (main, companions)
    }

    /// Reads all items as one value.
    ///
    /// - Returns: The value, secret, for ``Values/init(_:)``: the main item's bytes alone if there are no companions;
    ///   nil only if the main item's absence is proved.
    /// - Throws: ``SecureStoreError`` of the main item, or of a companion except `damaged`; `busy` if another program
    ///   keeps writing the main item; `CancellationError`.
    public func item() async throws -> SecretBytes? {
        for _ in 0..<Self.attempts {
            guard let found = try await main.item() else { return nil }
            var values = Values(main: found, companions: [:])
            for (name, companion) in companions { values.companions[name] = try await Self.value(of: companion) }
            if values.companions.isEmpty { return values.item }
            // Otherwise the companions may belong to another main item.
            if try await main.item() == found { return values.item }
        }
        throw SecureStoreError(.busy, detail: name.name)
    }

    /// Removes all items only if their value still is the expected one.
    ///
    /// - Parameter expected: The value that must be present. Secret.
    /// - Returns: Whether the main item is gone. A companion that another program has written meanwhile stays.
    /// - Throws: ``SecureStoreError`` as a read does, also after the removal of the main item; `CancellationError`.
    public func removeItem(ifEquals expected: SecretBytes) async throws -> Bool {
        guard let found = try await item() else { return true }
        guard found == expected else { return false }
        let values = try Values(found)
        guard try await main.removeItem(ifEquals: values.main) else { return false }
        for (name, value) in values.companions { _ = try await companions[name]?.removeItem(ifEquals: value) }
        return true
    }

    /// Removes the companions if the main item is gone.
    ///
    /// - Throws: ``SecureStoreError`` if a companion may still be there, except if it is damaged; `CancellationError`.
    public func removeRemainder() async throws {
        guard try await main.item() == nil else { return }
        for companion in companions.values {
            guard try await Self.value(of: companion) != nil else { continue }
            try await Self.remove(companion)
        }
    }

    /// Removes every companion, whatever it is, and the copies of all items.
    ///
    /// - Throws: ``SecureStoreError`` of the first item that can't be removed, after the others; `CancellationError`.
    public func removeCopies() async throws {
        var fault: (any Error)?
        func attempt(_ removal: () async throws -> Void) async {
            do {
                try await removal()
            } catch {
                fault = fault ?? error
            }
        }
        await attempt(main.removeCopies)
        for companion in companions.values {
            await attempt { try await Self.remove(companion) }
            await attempt(companion.removeCopies)
        }
        if let fault { throw fault }
    }

    /// Returns a companion's value; nil if it is damaged.
    private static func value(of companion: any LegacyItemSource) async throws -> SecretBytes? {
        do {
            return try await companion.item()
        } catch let error as SecureStoreError where error.code == .damaged {
            return nil
        }
    }

    private static func remove(_ companion: any LegacyItemSource) async throws {
        for _ in 0..<attempts {
            guard let value = try await companion.item() else { return }
            if try await companion.removeItem(ifEquals: value) { return }
        }
        throw SecureStoreError(.busy, detail: companion.name.name)
    }
}

extension LegacyItemGroup {
    /// The values of a group's items.
    public struct Values: Sendable, Equatable {
        /// The main item's value.
        ///
        /// Secret.
        public var main: SecretBytes
        /// The values of the companions that are present.
        ///
        /// Secret.
        public var companions: [StoreKey: SecretBytes]

        private static let title = "sallyport-group"
        private static let version = 1
        private static let header = Array("\(title) ".utf8)

        init(main: SecretBytes, companions: [StoreKey: SecretBytes]) {
            (self.main, self.companions) = (main, companions)
        }

        /// Reads a group's value, for example in the conversion of a ``MigratingStore/Source``.
        ///
        /// - Parameter item: The value that ``LegacyItemGroup/item()`` has returned. Secret.
        /// - Throws: ``SecureStoreError`` (`damaged`).
        public init(_ item: SecretBytes) throws {
            let bytes = item.unredacted
            guard bytes.starts(with: Self.header) else {
                self.init(main: item, companions: [:])
                return
            }
            let damaged = SecureStoreError(.damaged, detail: "a group of items")
            var values: [SecretBytes] = []
            var names: [StoreKey] = []
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
                .map { $0.split(separator: " ", omittingEmptySubsequences: false).map(String.init) }
            for words in try VersionedLines.body(of: lines, Self.title, Self.version, orThrow: damaged) {
                guard let value = words.last.flatMap({ Base64URL.decode($0.utf8) }), words.count == 2 else {
                    throw damaged
                }
                values.append(SecretBytes(value))
                // The main item's line comes first and has no name.
                if values.count > 1 { names.append(try StoreKey(words[0])) }
            }
            guard let main = values.first, Set(names).count == names.count else { throw damaged }
            let companions = Dictionary(uniqueKeysWithValues: zip(names, values.dropFirst()))
            self.init(main: main, companions: companions)
            guard self.item == item else { throw damaged }
        }

        /// The value of the group: always the same bytes for the same items.
        var item: SecretBytes {
            // A main item that begins like a group is written as one, so that no two groups have one value.
            guard !companions.isEmpty || main.unredacted.starts(with: Self.header) else { return main }
            let lines = companions.sorted { $0.key.name < $1.key.name }.map { ($0.key.name, $0.value) }
            let all = ([("", main)] + lines).map { "\($0) \(Base64URL.encode($1.unredacted))" }
            return SecretBytes((["\(Self.title) \(Self.version)"] + all).joined(separator: "\n").utf8)
        }
    }
}
