// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
public import AuthSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AuthenticationManager {
    /// Returns the English sentence for an error; nil if the error is not shown, because the user cancelled.
    ///
    /// An error of another module has its `errorDescription`, or else one general sentence.
    ///
    /// - Parameter role: The role of the app's users at its own backend, as in `RefusalSentence`.
    public nonisolated static func message(for error: any Error, role: String? = nil) -> String? {
        if let refusal = RefusalSentence.text(for: error, role: role) { return refusal }
        let general = "Something went wrong. Try again."
        switch error {
        case is CancellationError: return nil
        case let error as AuthSessionError:
            switch error.code {
            case .superseded, .signInCancelled: return nil
            // Details of the network, the server, the store or the code don't help a user who waits to sign in.
            case .unreachable, .signInRefused, .profileRefused, .invalidResponse, .storeUnavailable, .contractMismatch:
                return general
            default: return error.description
            }
        case let error as any ExplainedError:
            return error.isCancelled ? nil : error.isForUser ? "\(error)" : general
        case is APIError: return general
        default: return (error as? any LocalizedError)?.errorDescription ?? general
        }
    }

    /// Returns the English sentence for the sign-in screen; nil if the user knows why the screen shows.
    public nonisolated static func message(for reason: SignedOutReason) -> String? {
        switch reason {
        case .noSession, .userSignedOut: nil
        case .signedOutElsewhere: "You were signed out in another window of this app."
        case .endedByServer: "The server has ended your session. Sign in again."
        case .refreshResponseLost: "The connection broke during a refresh, and your session was lost. Sign in again."
        case .expired: "Your session has ended. Sign in again."
        case .appleIDRevoked: "This app may no longer use your Apple Account to sign you in. Sign in again."
        case .unreadableRecord(.otherBackend):
            "This device has a session at another server. Signing in replaces it."
        case .unreadableRecord(.unknownVersion):
            "A newer version of this app saved this session. Update the app, or sign in again."
        case .unreadableRecord: "The session on this device can't be read. Sign in again."
        }
    }
}
