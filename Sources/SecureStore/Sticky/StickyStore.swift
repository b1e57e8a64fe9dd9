public import AuthCore
import Synchronization

/// A store that stays where a session began, and records the removals that it could not make.
///
/// It uses one or several named places, for example a keyring and a file. Once a session lives in one of them, no other
/// is used instead. If that place can't be reached, its error is thrown. Only an explicit ``relocate(to:interaction:)``
/// moves the session. Before the first write, and again after all items were removed, the app's initial place is used.
///
/// A removal from a place that is locked or unreachable is recorded, without a secret, and takes effect at once. The
/// item reads as absent, in every process, and is removed as soon as the place can be used again. So a sign-out holds
/// even while the keyring is locked. Conditional removals are not recorded: an item that can't be compared must not be
/// removed.
///
/// The record, called the note, is a small file in `$XDG_STATE_HOME/sallyport/stores`, by default below
/// `~/.local/state`, or on Apple systems below `~/Library/Application Support`. If the file can't be read, every call
/// throws an error and never guesses.
///
/// The places' items belong to this store. Its lock does not stop code that changes them directly.
public final class StickyStore: SecureStore {
    /// A place where a session may be kept.
    public struct Place: Sendable {
        /// The name of a place.
        public typealias Name = PlaceName

        /// The place's name in the note, the same in every version of the app.
        public let name: PlaceName
        /// The store that keeps the items.
        public let store: any SecureStore

        /// Creates a place.
        ///
        /// - Parameters:
        ///   - name: The place's name, the same in every version of the app.
        ///   - store: The store that keeps the items.
        public init(_ name: PlaceName, _ store: any SecureStore) {
            (self.name, self.store) = (name, store)
        }
    }

    /// The service and account of the items.
    public let scope: StoreScope
    let places: [PlaceName: any SecureStore]
    let initial: Place
    let file: NoteFile
    let lockTimeout: Duration

    /// The places that did not finish a removal in time, with the time until which they are skipped.
    ///
    /// Each attempt would cost the caller a place's whole deadline.
    private let resting = Mutex<[PlaceName: ContinuousClock.Instant]>([:])
    private let finished = Mutex<Set<PlaceName>>([])

    /// The number of attempts at a read while the note is being replaced.
    private static let attempts = 16

    /// Creates a store over several places.
    ///
    /// - Parameters:
    ///   - places: All places that a session of this app may live in; of one scope.
    ///   - initially: The place of a new session.
    ///   - lockTimeout: The time that a change waits while another process makes one, before it throws `busy`.
    ///     Consecutive calls each wait that long, so a command-line tool should choose a shorter time than an app.
    /// - Throws: ``SecureStoreError`` (`scopeMismatch`; `invalidName` if two places have one name; `unknownPlace` if no
    ///   place has the initial one's name).
    public convenience init(
        places: [Place],
        initially: PlaceName,
        lockTimeout: Duration = .seconds(30)
    ) throws {
        try self.init(places: places, initially: initially, lockTimeout) { try UserFolder.notes() }
    }

    /// Creates a store over one place, called `store`, that records removals it can't make.
    ///
    /// - Parameters:
    ///   - store: The store that keeps the items.
    ///   - lockTimeout: The time that a change waits while another process makes one, before it throws `busy`.
    public convenience init(_ store: any SecureStore, lockTimeout: Duration = .seconds(30)) {
        let place = Place(PlaceName(trusted: "store"), store)
        self.init([place.name: store], place, lockTimeout) { try UserFolder.notes() }
    }

    /// Creates a store with its note in a given folder, for tests.
    package convenience init(
        places: [Place],
        initially: PlaceName,
        notesIn folder: String,
        lockTimeout: Duration = .seconds(30)
    ) throws {
        try self.init(places: places, initially: initially, lockTimeout) { try PrivateFolder(folder) }
    }

    private convenience init(
        places: [Place],
        initially: PlaceName,
        _ lockTimeout: Duration,
        _ folder: @escaping @Sendable () throws -> PrivateFolder
    ) throws {
        guard let initial = places.first(where: { $0.name == initially }) else {
            throw SecureStoreError(.unknownPlace, detail: initially.name)
        }
        guard places.allSatisfy({ $0.store.scope == initial.store.scope }) else {
            throw SecureStoreError(.scopeMismatch)
        }
        let named = Dictionary(places.map { ($0.name, $0.store) }) { first, _ in first }
        guard named.count == places.count else { throw SecureStoreError(.invalidName, detail: "duplicate place name") }
        self.init(named, initial, lockTimeout, folder)
    }

    private init(
        _ places: [PlaceName: any SecureStore],
        _ initial: Place,
        _ lockTimeout: Duration,
        _ folder: @escaping @Sendable () throws -> PrivateFolder
    ) {
        scope = initial.store.scope
        self.places = places
        self.initial = initial
        self.lockTimeout = lockTimeout
        file = NoteFile(of: initial.store.scope, in: folder)
    }

    // MARK: The session's place

    /// The place where the session lives, or where a new session would begin.
    ///
    /// Throws ``SecureStoreError`` if the note can't be read, or names a place that the app does not offer (`damaged`,
    /// `newerFormat`, `unknownPlace`, `denied`, `failed`).
    public var place: PlaceName {
        get async throws { try place(by: file.read()).name }
    }

    /// Returns the place where the session of a scope lives, for a caller that opens only that place.
    ///
    /// - Parameter scope: The service and account.
    /// - Returns: The place's name; nil if the session does not live anywhere yet.
    /// - Throws: ``SecureStoreError`` if the note can't be read (`damaged`, `newerFormat`, `denied`, `failed`).
    public static func recordedPlace(of scope: StoreScope) throws -> PlaceName? {
        try NoteFile(of: scope) { try UserFolder.notes() }.read().home
    }

    /// The pending removals, by place.
    ///
    /// For tools that show them; the store finishes them itself. Throws ``SecureStoreError`` if the note can't be read.
    public var pendingRemovals: [PlaceName: PendingRemoval] {
        get async throws { try file.read().removals }
    }

    /// The places at which this object has finished a pending removal.
    ///
    /// For tools that tell the user that an earlier sign-out is now complete.
    public var finishedRemovals: Set<PlaceName> { finished.withLock { $0 } }

    /// The strength of the protection at the session's place.
    ///
    /// If that place can't be determined, the initial place's.
    public var protection: StoreProtection {
        get async {
            let place = (try? place(by: file.read())) ?? initial
            return await place.store.protection
        }
    }

    /// Examines the session's place, and finishes a pending removal there if the place can be used.
    ///
    /// - Returns: The findings. The problem may also be that the note can't be read.
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
    ///   - key: The item's key.
    ///   - interaction: The policy for prompts.
    /// - Returns: The item, secret; nil if its absence is proved or its removal is pending.
    /// - Throws: ``SecureStoreError`` of the place; that of the note (`damaged`, `newerFormat`, `unknownPlace`,
    ///   `denied`, `failed`; `busy` if other processes keep changing it); `CancellationError`.
    public func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
        try await reading { place, note in
            guard !note.isRemoved(key, at: place.name) else { return nil }
            return try await place.store.item(forKey: key, interaction: interaction)
        }
    }

    /// Returns the keys of all items at the session's place.
    ///
    /// - Parameter interaction: The policy for prompts.
    /// - Returns: The keys, without those whose removal is pending.
    /// - Throws: ``SecureStoreError`` as a read does; `CancellationError`.
    public func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey> {
        try await reading { place, note in
            if note.removals[place.name] == .all { return [] }
            return try await place.store.keys(interaction: interaction).filter { !note.isRemoved($0, at: place.name) }
        }
    }

    /// Reads without the lock, and reads again if the note was replaced meanwhile.
    ///
    /// Otherwise a read during a relocation could look in the old place, and report an item absent that is in the new
    /// one.
    private func reading<Value>(_ work: (Place, StoreNote) async throws -> Value) async throws -> Value {
        for _ in 0..<Self.attempts {
            let note = try file.read()
            let place = try place(by: note)
            let value = try await work(place, note)
            guard try file.read() == note else { continue }
            // Worth a try: unless the note alone gave the result, the place has just been read.
            if note.removals[place.name] != nil { await finishRemovalsIfAny(at: place.name) }
            return value
        }
        throw SecureStoreError(.busy, detail: "the note of a session's place")
    }
}
