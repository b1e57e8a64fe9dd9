// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser

/// A store for a shell's session.
public enum StoreChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// The system's keyring.
    case keyring
    /// The encrypted file, with the passphrase from the environment.
    case file
    /// This process's memory.
    case memory

    /// A sentence about the choice for the user.
    var sentence: String {
        switch self {
        case .keyring: "The session is kept in the keyring."
        case .file: "The session is kept in the encrypted file."
        case .memory: "The session ends with this program."
        }
    }
}
