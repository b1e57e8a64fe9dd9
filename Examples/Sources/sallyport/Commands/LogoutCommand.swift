// SPDX-License-Identifier: Apache-2.0

import APIClient
import ArgumentParser
import AuthCore
import AuthSession
import FoundationEssentials
import OpenIDConnect
import OpenIDSession
import SecureStore
import SessionStores

/// `sallyport logout`: ends the session here and, if possible, at the server.
struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "End the session here and, if possible, at the server.",
        usage: "sallyport logout [--no-browser] [options]",
        examples: [
            Example("Sign out here and at the provider", "logout"),
            Example("Keep the session of the browser", "logout --no-browser"),
        ]
    )

    @Flag(name: .long, help: "Open no browser. The provider's session in the browser stays.")
    var noBrowser = false

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        // Found once, because a sign-out forgets the location, and a second search would return the keyring.
        let place = try global.place()
        do {
            try await signOut(of: place)
        } catch {
            await place.removeDerivedKey()
            throw error
        }
        await place.removeDerivedKey()
    }

    private func signOut(of place: SessionLocation) async throws {
        let store = try place.open()
        let kept: any KeptSession
        do {
            kept = try await Terminal.unlocking(store) {
                try await global.storedSession(in: store, noteUnsent: { Terminal.note($0) })
            }
        } catch let error as SessionRecordError {
            // An unreadable record can't be signed out of, but the user's logout removes it.
            try await Self.removeItems(in: store)
            let (clients, unreadable) = try await StoredClients.readable(in: store)
            if unreadable == nil {
                try await StoredClients.endProgram(of: clients.signIn, in: store)
            } else {
                try await StoredClients.removeUnread(in: store)
            }
            try PendingSignOut.check(store)
            Terminal.note("\(error.description) It was removed.")
            return
        } catch let failure as Failure where failure.status == .notSignedIn {
            // The session may have been removed by hand. Allows another location for the next one.
            try PendingSignOut.check(store)
            try await (store as? RecordedStore)?.forgetIfEmpty()
            throw failure
        } catch let error as SecureStoreError where error.mayComeBack {
            // Has the store remember the removal, so that the user is signed out although the store can't be used.
            try await Self.removeItems(in: store)
            try await StoredClients.removeUnread(in: store)
            try await (store as? RecordedStore)?.forget()
            try PendingSignOut.check(store, because: error)
            Terminal.note("Signed out here. The server could not be notified; its session expires by itself.")
            return
        }
        let end = await kept.accessTokenLifetime?.expiresAt
        guard let session = kept as? AuthSession else { return try await signOut(of: kept, in: store, end) }
        let client = await session.storedClient(in: store)
        let result =
            noBrowser
            ? await session.signOut() : await session.signOutInBrowser()
        if let error = result.storeError { throw error }
        try PendingSignOut.check(store)
        try await StoredClients.removeUnused(in: store, after: client, isLogout: true)
        // Forgets only an empty location, because another process may have signed in meanwhile.
        try await (store as? RecordedStore)?.forgetIfEmpty()
        Self.report(result, of: session, end)
    }

    /// Removes the session and the tokens of programs from a store, without a word to the server.
    private static func removeItems(in store: any SecureStore) async throws {
        try await AuthSession.removeStored(in: store)
        try await ProgramCredentials.removeStored(in: store)
    }

    private static func report(_ result: SignOutResult, of session: AuthSession, _ end: Date?) {
        switch result.revocation {
        case .revoked: Terminal.note("Signed out, here and at the server.")
        case .notApplicable where session.provider?.supportsRevocation == false:
            Terminal.note(
                "Signed out here. The provider has no revocation endpoint. \(SignOutResult.validity(until: end))"
            )
        case .notApplicable: Terminal.note("Signed out.")
        case .deferred where session.lacksKey:
            Terminal.note("Signed out here. \(Failure.keyMissing.sentences)")
        case .deferred:
            Terminal.note(
                """
                Signed out here. The provider could not revoke the tokens now; a later command of this profile revokes \
                them.
                """
            )
        case .failed where session.provider != nil:
            Terminal.note(
                """
                Signed out here. The provider did not revoke the tokens\(result.reason). \
                \(SignOutResult.validity(until: end))
                """
            )
        case .failed:
            Terminal.note("Signed out here. The server could not be notified; its session expires by itself.")
        }
    }

    /// Signs a program out.
    private func signOut(of session: any KeptSession, in store: any SecureStore, _ end: Date?) async throws {
        let failure = try await (session as? ProgramSession)?.signOut()
        try PendingSignOut.check(store)
        try await (store as? RecordedStore)?.forgetIfEmpty()
        guard let failure else { return Terminal.note("Signed out, here and at the server.") }
        guard failure.operation == .revocation else {
            let validity = SignOutResult.validity(until: end)
            return Terminal.note("Signed out here. The tokens were not revoked. \(failure.description) \(validity)")
        }
        let isMissing = failure.code == .unsupported
        let what = isMissing ? "has no revocation endpoint" : "did not revoke the tokens\(failure.shownCode)"
        Terminal.note("Signed out here. The provider \(what). \(SignOutResult.validity(until: end))")
    }
}

extension SignOutResult {
    /// Returns the sentence that says how long an access token stays valid that was not revoked.
    static func validity(until end: Date?) -> String {
        guard let end else { return "The access token stays valid until the provider ends it." }
        guard end > Date() else { return "The access token has expired." }
        return "The access token stays valid until \(RelativeTime.moment(end))."
    }

    /// The provider's error code in parentheses, or empty if there is no code.
    var reason: String { serverCode.map { " (\($0.rawValue))" } ?? "" }
}

extension OpenIDError {
    /// The provider's error code in parentheses, or empty if there is no code.
    var shownCode: String { oauthCode.map { " (\($0.rawValue))" } ?? "" }
}

extension AuthSession {
    /// Signs out here and, if possible, sends the browser to the provider to end the session there.
    fileprivate func signOutInBrowser() async -> SignOutResult {
        guard backend.provider != nil, SystemBrowser.opener != nil else {
            return await signOut()
        }
        let browser = ExternalUserAgent.browser(timeout: .seconds(10)) { url in
            guard SystemBrowser.open(url) else {
                throw Failure(.failed, "No browser could be opened.", "Use --no-browser.")
            }
        }
        let (result, provider) = await signOut(using: browser)
        switch provider {
        case .initiated, .completed: Terminal.note("The browser was opened to sign out at the provider too.")
        case .failed: Terminal.note("The browser did not open the provider's page; you may still be signed in there.")
        case .unsupported: break
        }
        return result
    }
}
