// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SecureStore

/// A store for an app's session.
nonisolated enum StoreChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// The system's keyring.
    case keyring
    /// The encrypted file, with the passphrase from the environment.
    case file
    /// The encrypted file, with the key of the secret portal: for a Flatpak or Snap.
    case portal
    /// This process's memory.
    case memory

    /// The store of a new session: the keyring, or in a sandbox, which hides it, the portal.
    static var standard: StoreChoice { PortalKey.isSandboxed ? .portal : .keyring }

    /// A sentence for the user that says where the session is, and what protects it.
    var sentence: String {
        switch self {
        case .keyring: "The session is kept in the keyring, encrypted under your login password."
        case .file: "The session is kept in a file, encrypted under your passphrase."
        case .portal: "The session is kept in a file, encrypted under this app's key in your keyring."
        case .memory: "The session ends with this program."
        }
    }
}
