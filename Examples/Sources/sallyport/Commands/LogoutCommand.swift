import APIClient
import ArgumentParser
import AuthSession
import OpenIDConnect
import SecureStore

/// `sallyport logout`: ends the session here and, where it can be, at the server.
struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "End the session here and, where it can be, at the server."
    )

    @OptionGroup var global: GlobalOptions

    @Flag(name: .long, help: "Open no browser: the provider's own session in it stays.")
    var noBrowser = false

    func run() async throws {
        let store = try global.openStore()
        let session: AuthSession
        do {
            session = try await global.storedSession(in: store)
        } catch let error as SessionRecordError {
            // Nobody can be signed out of a record that can't be read, but it goes away when the person asks.
            try await AuthSession.removeStored(in: store, interaction: Terminal.interaction)
            try await PendingSignOut.check(store)
            Terminal.note("\(error.description) It was removed.")
            return
        } catch let failure as Failure where failure.status == .notSignedIn {
            // What was removed by hand: the next session may then begin elsewhere.
            try await PendingSignOut.check(store)
            try await (store as? StickyStore)?.forgetPlaceIfEmpty()
            throw failure
        } catch let error as SecureStoreError where Self.mayComeBack.contains(error.code) {
            // Has the removal remembered, so that the user is signed out although the store can't be used.
            try await store.removeAll()
            try await PendingSignOut.check(store, because: error)
            Terminal.note("Signed out here. The server could not be told; its side ends by itself in time.")
            return
        }
        let result =
            noBrowser
            ? await session.signOut(interaction: Terminal.interaction) : await session.signOutInBrowser()
        if let error = result.storeError { throw error }
        try await PendingSignOut.check(store)
        // Not more than that: another process may have signed in while the server was told.
        try await (store as? StickyStore)?.forgetPlaceIfEmpty()
        switch result.server {
        case .told: Terminal.note("Signed out, here and at the server.")
        case .nothingToTell: Terminal.note("Signed out.")
        case .toldLater:
            Terminal.note("Signed out here. The provider can't be reached; it is told when a command reaches it again.")
        case .notTold where session.backend.provider != nil:
            Terminal.note(
                "Signed out here. The provider did not take the tokens back\(result.reason); they end by themselves in time."
            )
        case .notTold: Terminal.note("Signed out here. The server could not be told; its side ends by itself in time.")
        }
        if let leftover = try await global.place().leftover() { Terminal.note(leftover) }
    }

    /// A store that is out of reach, as against one that was opened wrongly.
    private static let mayComeBack: [SecureStoreError.Code] = [
        .locked, .noSessionBus, .noProvider, .noCollection, .timedOut, .denied, .promptDismissed, .sandboxed,
    ]
}

extension SignOutResult {
    /// The provider's own code as the end of a sentence, if it gave one.
    var reason: String { serverCode.map { " (\($0.rawValue))" } ?? "" }
}

extension AuthSession {
    /// Signs out here and, where there is a browser and the provider takes it, of the provider's own session in it.
    fileprivate func signOutInBrowser() async -> SignOutResult {
        let interaction = Terminal.interaction
        guard backend.provider != nil, SystemBrowser.opener != nil else {
            return await signOut(interaction: interaction)
        }
        let browser = SignInBrowser.browser(patience: .seconds(10)) { url in
            guard SystemBrowser.open(url) else {
                throw Failure(.failed, "No browser could be opened.", "Use --no-browser.")
            }
        }
        let (result, provider) = await signOut(using: browser, interaction: interaction)
        switch provider {
        case .browserSent, .done: Terminal.note("The browser was opened, to sign out at the provider too.")
        case .notDone: Terminal.note("No browser went to the provider; you may still be signed in there.")
        case .notOffered: break
        }
        return result
    }
}
