/// What is remembered of a session's place.
///
/// Holds no secret. Written as lines of words, for no name holds a space or a line break: so a note has one spelling,
/// and reading is strict by writing down what was understood and comparing.
///
///     sallyport-store 1
///     stamp 3w5e11264sgsf
///     home keyring
///     remove keyring session
///     remove file *
struct StoreNote: Sendable, Equatable {
    /// Different in each note that was ever written.
    ///
    /// By it a reader sees that the note was replaced meanwhile.
    private(set) var stamp = ""
    /// Where the session lives; nil where the app's initial place counts.
    var home: PlaceName?
    /// What is still to be removed, and where.
    ///
    /// A place that a relocation copies to is in here whole until the copy is complete: a process that is killed in
    /// between leaves a note by which the old place still counts, and the copies are removed.
    var removals: [PlaceName: PendingRemoval] = [:]

    /// The largest note, in bytes: 600 names of the greatest length.
    static let maximumSize = 160 * 1024
    private static let title = "sallyport-store"
    private static let version = 1

    /// Whether there is nothing to remember.
    var isEmpty: Bool { home == nil && removals.isEmpty }

    /// Whether an item at a place is treated as gone.
    func isRemoved(_ key: StoreKey, at place: PlaceName) -> Bool {
        removals[place]?.covers(key) ?? false
    }

    /// The same note under a stamp of its own.
    func stamped() -> StoreNote {
        var note = self
        note.stamp = RandomName.make()
        return note
    }

    // MARK: Text

    /// The note as it is written.
    var text: String {
        var lines = ["\(Self.title) \(Self.version)", "stamp \(stamp)"]
        if let home { lines.append("home \(home)") }
        for (place, removal) in removals.sorted(by: { $0.key < $1.key }) {
            switch removal {
            case .all: lines.append("remove \(place) *")
            case .items(let keys): lines += keys.map(\.name).sorted().map { "remove \(place) \($0)" }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// An empty note.
    init() {}

    /// Reads a note.
    ///
    /// - Parameter bytes: A file's content.
    /// - Throws: ``SecureStoreError`` (`newerFormat`; `damaged` for all that this type would not have written).
    init(_ bytes: [UInt8]) throws(SecureStoreError) {
        let damaged = SecureStoreError(.damaged, detail: "the note of a session's place")
        guard let text = String(validating: bytes, as: UTF8.self) else { throw damaged }
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        for line in try VersionedLines.body(of: lines, Self.title, Self.version, orThrow: damaged) {
            guard (try? add(line)) != nil else { throw damaged }
        }
        guard self.text == text else { throw damaged }
    }

    private mutating func add(_ words: [String]) throws(SecureStoreError) {
        switch (words.first, words.count) {
        case ("stamp", 2):
            stamp = words[1]
        case ("home", 2):
            home = try PlaceName(words[1])
        case ("remove", 3):
            let place = try PlaceName(words[1])
            removals[place] =
                words[2] == "*" ? .all : (removals[place] ?? .items([])).adding(try StoreKey(words[2]))
        default:
            throw SecureStoreError(.damaged)
        }
    }
}
