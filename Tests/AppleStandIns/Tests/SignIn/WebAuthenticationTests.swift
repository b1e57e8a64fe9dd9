// SPDX-License-Identifier: Apache-2.0

import AuthTesting
import AuthenticationServices
import Foundation
import OpenIDConnect
import Synchronization
import Testing

@testable import AuthSession
@testable import OpenIDSession

/// The system's sheet; serialized, as there is one browser.
@Suite(.serialized, .timeLimit(.minutes(5))) struct WebAuthenticationTests {
    private let sheet = WebAuthentication(redirectURI: ProviderFixture.redirectURI)

    /// Returns a browser in which the user signs in at the provider.
    private func signsIn(at provider: InProcessProvider) -> @Sendable (StandInSheet) -> Result<URL, any Error>? {
        { sheet in
            Result { try #require(provider.authorize(sheet.url).redirectURL.flatMap { URL(string: $0) }) }
        }
    }

    @Test func `the sheet's callback signs the user in`() async throws {
        let fixture = try await ProviderFixture()
        StandInBrowser.use(signsIn(at: fixture.provider))
        #expect(try await fixture.session.signIn(using: sheet) == fixture.user)
        #expect(fixture.session.state == fixture.signedInState)
        #expect(StandInBrowser.sheets.map(\.callback) == ["recipe:"])
        #expect(!StandInBrowser.isOpen)
    }

    @Test(arguments: [false, true]) func `the app can request an ephemeral browser session`(
        isEphemeral: Bool
    ) async throws {
        let fixture = try await ProviderFixture()
        StandInBrowser.use(signsIn(at: fixture.provider))
        let redirectURI = ProviderFixture.redirectURI
        try await fixture.session.signIn(using: WebAuthentication(redirectURI: redirectURI, isEphemeral: isEphemeral))
        #expect(StandInBrowser.sheets.map(\.isEphemeral) == [isEphemeral])
    }

    @Test func `closing the sheet cancels the sign-in and leaves nothing pending`() async throws {
        let fixture = try await ProviderFixture()
        StandInBrowser.use { _ in .failure(ASWebAuthenticationSessionError(.canceledLogin)) }
        await #expect(throws: OpenIDError(.authorization, .cancelled)) {
            try await fixture.session.signIn(using: sheet)
        }
        #expect(try await fixture.stored(.pendingSignIn) == nil)
    }

    @Test(arguments: [ASWebAuthenticationSessionError.Code.presentationContextNotProvided, .presentationContextInvalid])
    func `a sign-in throws noBrowser if the sheet has no window`(
        code: ASWebAuthenticationSessionError.Code
    ) async throws {
        let fixture = try await ProviderFixture()
        StandInBrowser.use { _ in .failure(ASWebAuthenticationSessionError(code)) }
        await #expect(throws: OpenIDError(.authorization, .noBrowser)) {
            try await fixture.session.signIn(using: sheet)
        }
    }

    @Test func `a sign-in throws noBrowser if the sheet can't be shown`() async throws {
        let fixture = try await ProviderFixture()
        StandInBrowser.use(isThere: false) { _ in nil }
        await #expect(throws: OpenIDError(.authorization, .noBrowser)) {
            try await fixture.session.signIn(using: sheet)
        }
        #expect(try await fixture.stored(.pendingSignIn) == nil)
    }

    @Test func `the sheet closes if the task is cancelled`() async throws {
        let fixture = try await ProviderFixture()
        let shown = Event()
        StandInBrowser.use { _ in
            shown.happen()
            return nil
        }
        let attempt = Task { try await fixture.session.signIn(using: sheet) }
        await shown.wait()
        #expect(StandInBrowser.isOpen)
        attempt.cancel()
        await #expect(throws: CancellationError.self) { try await attempt.value }
        #expect(!StandInBrowser.isOpen)
        #expect(try await fixture.stored(.pendingSignIn) == nil)
    }

    @Test func `the sheet shows the provider's page to sign out, once the session has ended here`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        StandInBrowser.use { sheet in
            Result { try #require(fixture.provider.endSession(sheet.url).redirectURL.flatMap { URL(string: $0) }) }
        }
        let (result, endSession) = await fixture.session.signOut(using: sheet, returning: true)
        #expect(result.revocation == .revoked)
        #expect(endSession == .completed)
        #expect(StandInBrowser.sheets.map(\.callback) == ["recipe:"])
        #expect(!StandInBrowser.isOpen)
    }

    @Test func `closing the page to sign out changes nothing`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let state = Mutex<SessionState?>(nil)
        StandInBrowser.use { _ in
            state.withLock { $0 = fixture.session.state }
            return .failure(ASWebAuthenticationSessionError(.canceledLogin))
        }
        #expect(await fixture.session.signOut(using: sheet).endSession == .initiated)
        #expect(state.withLock { $0 } == .signedOut(.userSignedOut))
        #expect(fixture.session.state == .signedOut(.userSignedOut))
    }

    @Test func `a page to sign out that can't be shown is a failure at the provider alone`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        StandInBrowser.use(isThere: false) { _ in nil }
        #expect(await fixture.session.signOut(using: sheet).endSession == .failed)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
    }

    @Test func `an HTTPS redirect URI is matched by host and path`() async throws {
        let fixture = try await ProviderFixture()
        StandInBrowser.use { _ in .failure(ASWebAuthenticationSessionError(.canceledLogin)) }
        let sheet = WebAuthentication(redirectURI: "https://app.example/callback")
        await #expect(throws: OpenIDError(.authorization, .cancelled)) {
            try await fixture.session.signIn(using: sheet)
        }
        #expect(StandInBrowser.sheets.map(\.callback) == ["https://app.example/callback"])
    }

    @Test func `a redirect URI that leads to no app throws invalidParameters and shows no sheet`() async throws {
        let fixture = try await ProviderFixture()
        StandInBrowser.use { _ in nil }
        let sheet = WebAuthentication(redirectURI: "http://app.example/callback")
        await #expect(throws: OpenIDError(.authorization, .invalidRequest)) {
            try await fixture.session.signIn(using: sheet)
        }
        #expect(StandInBrowser.sheets.isEmpty)
    }
}
