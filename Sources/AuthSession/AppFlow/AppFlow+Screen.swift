public import SecureStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AppFlow {
    /// A screen of an app.
    public enum Screen: Sendable, Equatable {
        /// The first thing that shows, until it is known who is signed in.
        case splash
        /// What the app is for; once an installation.
        case onboarding
        /// Nobody is signed in.
        case signIn
        /// An account is made, or completed.
        case registration
        /// The store can't be read now, and nobody knows who is signed in.
        ///
        /// Never the sign-in screen: who sees that believes to be signed out, and a sign-in would take the place of a
        /// session that is still there. The reason is a sentence for the person; restoring again leads on.
        case locked(SecureStoreError)
        /// The app itself; with the banner that says since when the server can't be reached, where there is a date.
        case main(offlineSince: Date?)
    }
}
