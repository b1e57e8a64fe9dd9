extension AuthSession {
    /// Calls a hook after all earlier ones, beside everything else.
    func tell(_ hook: @escaping @Sendable () async -> Void) {
        let previous = lastHook
        lastHook = Task {
            await previous?.value
            await hook()
        }
    }

    /// Tells that somebody has signed in, here or in place of another person in another process.
    func tellSignedIn(_ user: User?) {
        guard let didSignIn = options.didSignIn else { return }
        tell { await didSignIn(user) }
    }

    /// Tells that the person is not signed in any more: nobody is, or another person is in their place.
    func tellSignedOut(because reason: SignedOutReason) {
        guard let didSignOut = options.didSignOut else { return }
        tell { await didSignOut(reason) }
    }

    /// Asks the app to do what it can do only while the person is signed in, for five seconds at most.
    func prepareSignOut() async {
        guard let willSignOut = options.willSignOut else { return }
        await restore(checksServer: false)
        guard held != nil else { return }
        // Cancelled, the sign-out goes on without it.
        try? await waitBriefly(for: willSignOut)
    }
}
