public import SecureStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How the session stands.
public enum SessionState: Sendable, Equatable {
    /// The store has not been read yet.
    case restoring
    /// Nobody is signed in.
    case signedOut(SignedOutReason)
    /// Somebody is.
    case signedIn(User?, Connectivity)
    /// The store can't be read now; who is signed in is not known, and nobody is signed out. Read again once it opens.
    case locked(SecureStoreError)
}

/// Why nobody is signed in.
public enum SignedOutReason: Sendable, Hashable {
    /// Nobody has signed in here.
    case neverSignedIn
    /// The person signed out.
    case signedOutByPerson
    /// The person signed out in another process of this app.
    case signedOutElsewhere
    /// The server ended the session.
    case endedByServer
    /// The server's answer to a refresh was lost, by a crash or a broken network, and it did not repeat it in time.
    ///
    /// It had replaced the tokens, and takes the old ones no more.
    case answerLost
    /// The access token has ended, and the provider gave nothing to get another one with.
    case expired
    /// What the store holds can't be read, or is of another backend.
    ///
    /// It is left as it is until somebody signs in; what can't be read is kept aside then.
    case unreadableRecord(SessionRecordError.Code)
}

/// Whether the server could be reached when it was last asked.
public enum Connectivity: Sendable, Hashable {
    /// It could, or it has not been asked yet.
    case online
    /// It could not, since then.
    case offline(since: Date)
}
