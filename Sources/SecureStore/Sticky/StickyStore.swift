public import AuthCore
import Synchronization

/// A store that stays where a session began, and remembers what it could not remove.
///
/// Over one or several named places, a keyring and a file, say. Once a session lives in one of them no other is used in
/// its place: where it can't be reached, its error is thrown. Moving is an explicit ``relocate(to:interaction:)``.
/// Before the first write, and again after all was removed, the place that the app named initially counts.
///
/// A removal from a place that is locked or can't be reached is written down, without a secret, and counts from then
/// on: the item reads as absent, in every process, and is removed as soon as the place can be used again. So a sign-out
/// holds even while the keyring is locked. Conditional changes are not remembered: what can't be compared must not be
/// removed.
///
/// What is remembered lies in a small file in `$XDG_STATE_HOME/sallyport/stores`, by default below `~/.local/state`. A
/// file that can't be read is an error of every call, never a guess.
///
/// The places' items belong to this store: who changes them beside it is not held up by its lock.
public final class StickyStore: SecureStore {
    /// One place where a session may be kept.
    public struct Place: Sendable {
        /// What a place is called.
        public typealias Name = PlaceName

        /// What it is called in the note: the same in every version of the app.
        public let name: PlaceName
        /// What keeps the items.
        public let store: any SecureStore

        /// Names a place.
        ///
        /// - Parameters:
        ///   - name: The same in every version of the app.
        ///   - store: What keeps the items.
        public init(_ name: PlaceName, _ store: any SecureStore) {
            (self.name, self.store) = (name, store)
        }
    }

    /// Whose items these are.
    public let scope: StoreScope
    let places: [PlaceName: any SecureStore]
    let initial: Place
    let file: NoteFile
    let patience: Duration

    /// Places that did not answer a removal in time, and until when they are left alone: each attempt would cost the
    /// caller a place's whole deadline.
    private let resting = Mutex<[PlaceName: ContinuousClock.Instant]>([:])
    private let finished = Mutex<Set<PlaceName>>([])

    /// How often a read is begun again because the note was replaced meanwhile.
    private static let attempts = 16

    /// Makes a store over several places.
    ///
    /// - Parameters:
    ///   - places: All places that a session of this app may live in; of one scope.
    ///   - initially: Where a session is kept that does not yet live anywhere.
    /// - Throws: ``SecureStoreError`` (`scopeMismatch`; `invalidName` where two places have one name; `unknownPlace`
    ///   where none has the initial one's).
    public convenience init(places: [Place], initially: PlaceName) throws {
        try self.init(places: places, initially: initially) { try UserFolder.notes() }
    }

    /// Makes a store over one place, called `store`, that remembers removals.
    ///
    /// - Parameter store: What keeps the items.
    public convenience init(_ store: any SecureStore) {
        let place = Place(PlaceName(trusted: "store"), store)
        self.init([place.name: store], place, .seconds(30)) { try UserFolder.notes() }
    }

    /// Makes a store whose note is in a folder of the caller's, for tests.
    package convenience init(
        places: [Place],
        initially: PlaceName,
        notesIn folder: String,
        patience: Duration = .seconds(30)
    ) throws {
        try self.init(places: places, initially: initially, patience: patience) { try PrivateFolder(folder) }
    }

    private convenience init(
        places: [Place],
        initially: PlaceName,
        patience: Duration = .seconds(30),
        _ folder: @escaping @Sendable () throws -> PrivateFolder
    ) throws {
        guard let initial = places.first(where: { $0.name == initially }) else {
            throw SecureStoreError(.unknownPlace, detail: initially.name)
        }
        guard places.allSatisfy({ $0.store.scope == initial.store.scope }) else {
            throw SecureStoreError(.scopeMismatch)
        }
        let named = Dictionary(places.map { ($0.name, $0.store) }) { first, _ in first }
        guard named.count == places.count else { throw SecureStoreError(.invalidName, detail: "a place named twice") }
        self.init(named, initial, patience, folder)
    }

    private init(
        _ places: [PlaceName: any SecureStore],
        _ initial: Place,
        _ patience: Duration,
        _ folder: @escaping @Sendable () throws -> PrivateFolder
    ) {
        scope = initial.store.scope
        self.places = places
        self.initial = initial
        self.patience = patience
        file = NoteFile(of: initial.store.scope, in: folder)
    }

    // MARK: Where the session is

    /// Where the session lives, or will where it does not yet live anywhere.
    ///
    /// Throws ``SecureStoreError`` where what is remembered can't be read, or names a place that is not offered
    /// (`damaged`, `newerFormat`, `unknownPlace`, `denied`, `failed`).
    public var place: PlaceName {
        get async throws { try place(by: file.read()).name }
    }

    /// Where the session of a scope lives, for who opens only that place.
    ///
    /// - Parameter scope: The service and account.
    /// - Returns: The place's name; nil where the session does not yet live anywhere.
    /// - Throws: ``SecureStoreError`` where what is remembered can't be read (`damaged`, `newerFormat`, `denied`,
    ///   `failed`).
    public static func recordedPlace(of scope: StoreScope) throws -> PlaceName? {
        try NoteFile(of: scope) { try UserFolder.notes() }.read().home
    }

    /// What is still to be removed, and at which places.
    ///
    /// For tools that show it; it does itself. Throws ``SecureStoreError`` where what is remembered can't be read.
    public var pendingRemovals: [PlaceName: PendingRemoval] {
        get async throws { try file.read().removals }
    }

    /// The places at which this object has finished a removal that was pending.
    ///
    /// For tools that tell the user that an earlier sign-out is complete now.
    public var finishedRemovals: Set<PlaceName> { finished.withLock { $0 } }

    /// How strongly the session's place protects it.
    ///
    /// Of the initial place, where it can't be known which that is.
    public var protection: StoreProtection {
        get async {
            let place = (try? place(by: file.read())) ?? initial
            return await place.store.protection
        }
    }

    /// Looks at the session's place, and finishes a removal that is pending there if it can be used.
    ///
    /// - Returns: What was found. The problem may also be that what is remembered can't be read.
    public func diagnose() async -> StoreDiagnosis {
        do {
            let place = try place(by: file.read())
            let diagnosis = await place.store.diagnose()
            if diagnosis.problem == nil { await finishRemovalsIfAny(at: place.name) }
            return diagnosis
        } catch {
            let problem = SecureStoreError(cause: error)
            return StoreDiagnosis(protection: await initial.store.protection, problem: problem)
        }
    }

    func place(by note: StoreNote) throws(SecureStoreError) -> Place {
        guard let home = note.home else { return initial }
        guard let store = places[home] else { throw SecureStoreError(.unknownPlace, detail: home.name) }
        return Place(home, store)
    }

    func hangs(_ place: PlaceName) -> Bool {
        resting.withLock { $0[place].map { ContinuousClock.now < $0 } ?? false }
    }

    func rest(_ place: PlaceName) {
        resting.withLock { $0[place] = ContinuousClock.now + .seconds(30) }
    }

    func noteFinished(_ place: PlaceName) {
        finished.withLock { _ = $0.insert(place) }
    }

    // MARK: Reading

    /// Reads an item from the session's place.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - interaction: Whether the person may be asked.
    /// - Returns: The item, secret; nil where it is proved that there is none, or its removal is remembered.
    /// - Throws: ``SecureStoreError`` of the place; that of the note (`damaged`, `newerFormat`, `unknownPlace`,
    ///   `denied`, `failed`; `busy` where it is being changed all the time); `CancellationError`.
    public func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
        try await reading { place, note in
            guard !note.isRemoved(key, at: place.name) else { return nil }
            return try await place.store.item(forKey: key, interaction: interaction)
        }
    }

    /// The names of all items at the session's place.
    ///
    /// - Parameter interaction: Whether the person may be asked.
    /// - Returns: The names, without those whose removal is remembered.
    /// - Throws: ``SecureStoreError`` as a read does; `CancellationError`.
    public func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey> {
        try await reading { place, note in
            if note.removals[place.name] == .all { return [] }
            return try await place.store.keys(interaction: interaction).filter { !note.isRemoved($0, at: place.name) }
        }
    }

    /// Reads without the lock, and again where the note was replaced meanwhile.
    ///
    /// Otherwise a read that was under way during a relocation could call absent at the old place what now is at the
    /// new.
    private func reading<Value>(_ work: (Place, StoreNote) async throws -> Value) async throws -> Value {
        for _ in 0..<Self.attempts {
            let note = try file.read()
            let place = try place(by: note)
            let value = try await work(place, note)
            guard try file.read() == note else { continue }
            // After the read: it was answered by the note, or by a place that can be used now.
            if note.removals[place.name] != nil { await finishRemovalsIfAny(at: place.name) }
            return value
        }
        throw SecureStoreError(.busy, detail: "the note of a session's place")
    }
}
