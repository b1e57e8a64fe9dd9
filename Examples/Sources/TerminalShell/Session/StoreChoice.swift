public import ArgumentParser

/// Where a shell keeps its session.
public enum StoreChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// The system's keyring.
    case keyring
    /// The encrypted file, its passphrase from the environment.
    case file
    /// This process's memory.
    case memory

    /// The place in words.
    var place: String { self == .file ? "encrypted file" : rawValue }
}
