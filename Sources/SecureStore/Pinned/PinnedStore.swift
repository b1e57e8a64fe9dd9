// SPDX-License-Identifier: Apache-2.0

public import AuthCore
import Synchronization

/// A store that stays where a session began, and records the removals that it could not make.
///
/// It uses one or several named locations, for example a keyring and a file. Once a session lives in one of them, no
/// other is used instead. If that location can't be reached, its error is thrown. Only an explicit
/// migration moves the session. Before the first write, and again after all items were removed, the
/// app's initial location is used.
///
/// A removal from a location that is locked or unreachable is recorded, without a secret, and takes effect at once. The
/// item reads as absent, in every process, and is removed as soon as the location can be used again. So a sign-out
/// holds even while the keyring is locked. Conditional removals are not recorded: an item that can't be compared must
/// not be removed.
///
/// The record, called the note, is a small file in `$XDG_STATE_HOME/sallyport/stores`, by default below
/// `~/.local/state`, or on Apple systems below `~/Library/Application Support`, or in the scope's ``SharedFolder``. If
/// the file can't be read, every call throws an error and never guesses.
///
/// The locations' items belong to this store. Its lock does not stop code that changes them directly.
public final class PinnedStore: SecureStore {
    /// The service and account of the items.
    public let scope: StoreScope
    let locations: [StoreLocationName: any SecureStore]
    let initial: StoreLocation
    let file: NoteFile
    let lockTimeout: Duration

    /// The locations that did not finish a removal in time, with the time until which they are skipped.
    ///
    /// Each attempt would cost the caller a location's whole deadline.
    private let skippedUntil = Mutex<[StoreLocationName: ContinuousClock.Instant]>([:])
    private let finished = Mutex<Set<StoreLocationName>>([])

    /// The number of attempts at a read while the note is being replaced.
    private static let attempts = 16

    /// Creates a store over several locations.
    ///
    /// - Parameters:
    ///   - locations: All locations that a session of this app may live in; of one scope.
    ///   - initially: The name of the location of a new session.
    ///   - lockTimeout: The time that a change waits while another process makes one, before it throws `busy`.
    ///     Consecutive calls each wait that long, so a command-line tool should choose a shorter time than an app.
    /// - Throws: ``SecureStoreError`` (`scopeMismatch`; `invalidName` if two locations have one name; `unknownLocation`
    ///   if no location has the initial one's name).
    public convenience init(
        locations: [StoreLocation],
        initially: StoreLocationName,
        lockTimeout: Duration = .seconds(30)
    ) throws {
        try self.init(locations: locations, initially: initially, lockTimeout) { try UserFolder.notes(of: $0) }
    }

    /// Creates a store over one location, called `store`, that records removals it can't make.
    ///
    /// - Parameters:
    ///   - store: The store that keeps the items.
    ///   - lockTimeout: The time that a change waits while another process makes one, before it throws `busy`.
    public convenience init(_ store: any SecureStore, lockTimeout: Duration = .seconds(30)) {
        let location = StoreLocation(StoreLocationName(trusted: "store"), store)
        self.init([location.name: store], location, lockTimeout) { try UserFolder.notes(of: $0) }
    }

    /// Creates a store with its note in a given folder, for tests.
    package convenience init(
        locations: [StoreLocation],
        initially: StoreLocationName,
        notesIn folder: String,
        lockTimeout: Duration = .seconds(30)
    ) throws {
        try self.init(locations: locations, initially: initially, lockTimeout) { _ in try PrivateFolder(folder) }
    }

    private convenience init(
        locations: [StoreLocation],
        initially: StoreLocationName,
        _ lockTimeout: Duration,
        _ folder: @escaping @Sendable (StoreScope) throws -> PrivateFolder
    ) throws {
        guard let initial = locations.first(where: { $0.name == initially }) else {
            throw SecureStoreError(.unknownLocation, detail: initially.name)
        }
        guard locations.allSatisfy({ $0.store.scope == initial.store.scope }) else {
            throw SecureStoreError(.scopeMismatch)
        }
        let named = Dictionary(locations.map { ($0.name, $0.store) }) { first, _ in first }
        guard named.count == locations.count else {
            throw SecureStoreError(.invalidName, detail: "duplicate location name")
        }
        self.init(named, initial, lockTimeout, folder)
    }

    private init(
        _ locations: [StoreLocationName: any SecureStore],
        _ initial: StoreLocation,
        _ lockTimeout: Duration,
        _ folder: @escaping @Sendable (StoreScope) throws -> PrivateFolder
    ) {
        scope = initial.store.scope
        self.locations = locations
        self.initial = initial
        self.lockTimeout = lockTimeout
        file = NoteFile(of: initial.store.scope, in: folder)
    }

    // MARK: The session's location

    /// The location where the session lives, or where a new session would begin.
    ///
    /// Throws ``SecureStoreError`` if the note can't be read, or names a location that the app does not offer
    /// (`damaged`, `newerFormat`, `unknownLocation`, `denied`, `failed`).
    public var locationName: StoreLocationName {
        get async throws { try location(by: file.read()).name }
    }

    /// Returns the location where the session of a scope lives, for a caller that opens only that location.
    ///
    /// - Parameter scope: The service and account.
    /// - Returns: The location's name; nil if the session does not live anywhere yet.
    /// - Throws: ``SecureStoreError`` if the note can't be read (`damaged`, `newerFormat`, `denied`, `failed`).
    public static func recordedLocationName(of scope: StoreScope) throws -> StoreLocationName? {
        try NoteFile(of: scope) { try UserFolder.notes(of: $0) }.read().home
    }

    /// The pending removals, by location.
    ///
    /// For tools that show them; the store finishes them itself. Throws ``SecureStoreError`` if the note can't be read.
    public var pendingRemovals: [StoreLocationName: Tombstone] {
        get async throws { try file.read().removals }
    }

    /// The locations at which this object has finished a pending removal.
    ///
    /// For tools that tell the user that an earlier sign-out is now complete.
    public var finishedRemovals: Set<StoreLocationName> { finished.withLock { $0 } }

    /// The strength of the protection at the session's location.
    ///
    /// If that location can't be determined, the initial location's.
    public var protection: StoreProtection {
        get async {
            let location = (try? location(by: file.read())) ?? initial
            return await location.store.protection
        }
    }

    func location(by note: StoreNote) throws(SecureStoreError) -> StoreLocation {
        guard let home = note.home else { return initial }
        guard let store = locations[home] else { throw SecureStoreError(.unknownLocation, detail: home.name) }
        return StoreLocation(home, store)
    }

    func isSkipped(_ location: StoreLocationName) -> Bool {
        skippedUntil.withLock { $0[location].map { ContinuousClock.now < $0 } ?? false }
    }

    func skip(_ location: StoreLocationName) {
        skippedUntil.withLock { $0[location] = ContinuousClock.now + .seconds(30) }
    }

    func noteFinished(_ location: StoreLocationName) {
        finished.withLock { _ = $0.insert(location) }
    }

    // MARK: Reading

    /// Reads an item from the session's location.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    /// - Returns: The item, secret; nil if its absence is proved or its removal is pending.
    /// - Throws: ``SecureStoreError`` of the location; that of the note (`damaged`, `newerFormat`, `unknownLocation`,
    ///   `denied`, `failed`; `busy` if other processes keep changing it); `CancellationError`.
    public func item(forKey key: StoreKey) async throws -> SecretBytes? {
        try await reading { location, note in
            guard !note.isRemoved(key, at: location.name) else { return nil }
            return try await location.store.item(forKey: key)
        }
    }

    /// Reads without the lock, and reads again if the note was replaced meanwhile.
    ///
    /// Otherwise a read during a migration could look in the old location, and report an item absent that is in the
    /// new one.
    private func reading<Value>(_ work: (StoreLocation, StoreNote) async throws -> Value) async throws -> Value {
        for _ in 0..<Self.attempts {
            let note = try file.read()
            let location = try location(by: note)
            let value = try await work(location, note)
            guard try file.read() == note else { continue }
            // Worth a try: unless the note alone gave the result, the location has just been read.
            if note.removals[location.name] != nil { await finishRemovalsIfAny(at: location.name) }
            return value
        }
        throw SecureStoreError(.busy, detail: "the note of a session's location")
    }
}
