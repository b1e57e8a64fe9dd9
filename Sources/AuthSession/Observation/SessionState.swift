// SPDX-License-Identifier: Apache-2.0

public import SecureStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The state of a session.
public enum SessionState: Sendable, Equatable {
    /// The store has not been read yet.
    case restoring
    /// The user is signed out.
    case signedOut(SignedOutReason)
    /// The user is signed in.
    case signedIn(SessionUser?, Connectivity)
    /// The store can't be read now, so the user is unknown but not signed out. Restore again once it opens.
    case locked(SecureStoreError)
}

/// The reason for a signed-out state.
public enum SignedOutReason: Sendable, Hashable {
    /// The store holds no session: no user has signed in, or the last session ended in an earlier process.
    case noSession
    /// The user signed out in this process, or was replaced here by another user's sign-in.
    case userSignedOut
    /// In another process of this app, the session ended, or was replaced by a sign-in of another user or backend.
    case signedOutElsewhere
    /// The server ended the session.
    case endedByServer
    /// The response to a refresh was lost in a crash or a network failure, and the server did not repeat it in time.
    ///
    /// It had replaced the tokens, and no longer accepts the old ones.
    case refreshResponseLost
    /// The access token has expired and can't be refreshed.
    case expired
    /// The user, or Apple, has revoked this app's use of the Apple Account with which the user signed in.
    ///
    /// ``SessionOptions/appleCredentialState`` found this out.
    case appleIDRevoked
    /// The store's record can't be read, or belongs to another backend. A restore leaves it, and a sign-in replaces it.
    case unreadableRecord(SessionRecordError.Code)
}

extension SessionState {
    /// The outcome of the last attempt to reach the server.
    public enum Connectivity: Sendable, Hashable {
        /// The server was reached, or has not been asked yet.
        case online
        /// The server has been unreachable since this time.
        case offline(since: Date)
    }
}
