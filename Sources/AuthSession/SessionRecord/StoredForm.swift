/// What is written to the store, secrets and all: printed or dumped, it shows nothing.
protocol StoredForm: Codable, CustomStringConvertible, CustomReflectable {}

extension StoredForm {
    /// The type alone.
    var description: String { "\(Self.self)(<redacted>)" }

    /// A mirror without children.
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// What every stored form begins with, whatever its version.
struct StoredHeader: Codable {
    let version: Int
}
