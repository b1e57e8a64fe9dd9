// SPDX-License-Identifier: Apache-2.0

/// The persisted record of a session's location and its pending removals.
///
/// Holds no secret. Written as lines of words, because no name contains a space or a line break. So a note has exactly
/// one spelling, and a strict reader writes the parsed note again and compares.
///
///     sallyport-store 1
///     stamp 3w5e11264sgsf
///     home keyring
///     remove keyring session
///     remove file *
struct StoreNote: Sendable, Equatable {
    /// A random text, different in each note ever written.
    ///
    /// A reader compares it to detect that the note was replaced meanwhile.
    private(set) var stamp = ""
    /// The location where the session lives; nil if the app's initial location is used.
    var home: StoreLocationName?
    /// The pending removals, by location.
    ///
    /// During a migration, all items of the destination are listed here until the copy is complete. If the process is
    /// killed in between, this note still names the old location, and the copies are removed.
    var removals: [StoreLocationName: Tombstone] = [:]

    /// The largest note, in bytes: 600 names of the greatest length.
    static let maximumSize = 160 * 1024
    private static let title = "sallyport-store"
    private static let version = 1

    /// Whether there is nothing to record.
    var isEmpty: Bool { home == nil && removals.isEmpty }

    /// Returns whether an item at a location is treated as gone.
    func isRemoved(_ key: StoreKey, at location: StoreLocationName) -> Bool {
        removals[location]?.covers(key) ?? false
    }

    /// Returns the same note with a new stamp.
    func stamped() -> StoreNote {
        var note = self
        note.stamp = RandomName.make()
        return note
    }

    // MARK: Text

    /// The note as it is written to the file.
    var text: String {
        var lines = ["\(Self.title) \(Self.version)", "stamp \(stamp)"]
        if let home { lines.append("home \(home)") }
        for (location, removal) in removals.sorted(by: { $0.key < $1.key }) {
            switch removal {
            case .all: lines.append("remove \(location) *")
            case .items(let keys): lines += keys.map(\.name).sorted().map { "remove \(location) \($0)" }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Creates an empty note.
    init() {}

    /// Reads a note.
    ///
    /// - Parameter bytes: The content of the file.
    /// - Throws: ``SecureStoreError`` (`newerFormat`; `damaged` for any content that this type would not write).
    init(_ bytes: [UInt8]) throws(SecureStoreError) {
        let damaged = SecureStoreError(.damaged, detail: "the note of a session's location")
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
            home = try StoreLocationName(words[1])
        case ("remove", 3):
            let location = try StoreLocationName(words[1])
            removals[location] =
                words[2] == "*" ? .all : (removals[location] ?? .items([])).adding(try StoreKey(words[2]))
        default:
            throw SecureStoreError(.damaged)
        }
    }
}
