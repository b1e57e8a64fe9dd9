import AuthSession

/// What the screens need to know of the session: what an authentication manager shows, as one value.
struct ShellFacts: Sendable, Equatable {
    var state = SessionState.restoring
    var isLoading = false
    var errorMessage: String?

    /// What the person is called; nil where nobody is signed in, or has no name.
    var name: String? {
        guard case .signedIn(let user, _) = state else { return nil }
        return user?.displayName.flatMap { ShownText.of($0) }
    }

    /// The person's address or number, where it is not what they are called by.
    var contact: String? {
        guard case .signedIn(let user, _) = state else { return nil }
        let contact = (user?.email ?? user?.phoneNumber).flatMap { ShownText.of($0) }
        return contact == name ? nil : contact
    }
}
