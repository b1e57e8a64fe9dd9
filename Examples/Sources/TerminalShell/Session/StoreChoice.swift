public import ArgumentParser

/// Where a shell keeps its session.
public enum StoreChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// The system's keyring.
    case keyring
    /// The encrypted file, its passphrase from the environment.
    case file
    /// This process's memory.
    case memory

    /// What a person reads about it.
    var sentence: String {
        switch self {
        case .keyring: "The session is kept in the keyring."
        case .file: "The session is kept in the encrypted file."
        case .memory: "The session ends with this program."
        }
    }
}
