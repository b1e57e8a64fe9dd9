import AuthCore
public import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AuthSession {
    /// Signs in at the provider, on another device than this one.
    ///
    /// Ends at once when the task is cancelled; the code is then forgotten here.
    ///
    /// - Parameters:
    ///   - parameters: What is asked for.
    ///   - show: Shows the person the address and the code.
    /// - Returns: Who signed in.
    /// - Throws: ``AuthSessionError`` (`contractMismatch`, `storeUnavailable`, `signInRefused`, `unreachable`,
    ///   `unsafeAnswer`, `superseded`); `DeviceAuthorizationError`; what `show` throws; `CancellationError`.
    ///
    /// [RFC 8628](https://www.rfc-editor.org/rfc/rfc8628).
    @discardableResult
    public func signInOnAnotherDevice(
        _ parameters: AuthorizationParameters = AuthorizationParameters(),
        showing show: @Sendable (DeviceAuthorization) async throws -> Void
    ) async throws -> User? {
        let provider = try requireProvider()
        let begun = personEpoch
        let found = try await readStore()
        await removeOverdueSignIn()
        try await tellEndedSessionsBeforeSignIn()
        let key = parameters.bindsTokens ? DPoPKey() : nil
        let device = try await provider.deviceAuthorization(parameters, boundTo: key)
        try await show(device)
        await stopTelling()
        let tokens = try await openIDAnswer {
            try await provider.tokens(for: device, maximumAge: parameters.maximumAge, boundTo: key)
        }
        var signedIn = signedIn(tokens, parameters, boundTo: key)
        if signedIn.user == nil {
            // Device answers of some providers hold no ID token; who it is, the token itself can tell.
            do {
                let info = try await provider.userInfo(with: tokens.tokens.accessToken, of: nil, boundTo: key)
                signedIn.user = User(subject: info.subject) { info.claims[$0] }
            } catch {
                giveBack(tokens.tokens, of: nil)
                throw error
            }
        }
        return try await begin(signedIn, isRemembered: true, insteadOf: found, from: begun)
    }

    /// Asks the provider for its claims about the person.
    ///
    /// Compared with the ID token's subject. What it says of name and address becomes the session's user.
    ///
    /// - Returns: The claims.
    /// - Throws: `UserInfoError`; what ``accessToken()`` throws; `CancellationError`.
    public func userInfo() async throws -> UserInfo {
        let provider = try requireProvider()
        let token = try await accessToken()
        do {
            return try await userInfo(of: provider, with: token)
        } catch let error as UserInfoError where error.code == .unauthorized {
            // Revoked, or ended by the provider's clock: once with another one.
            return try await userInfo(of: provider, with: try await accessToken(insteadOf: token))
        }
    }

    private func userInfo(of provider: OpenIDProvider, with token: AccessToken) async throws -> UserInfo {
        guard let held, let subject = held.record.user?.id else { throw absence() }
        let begun = epoch
        let info = try await provider.userInfo(with: token, of: subject, boundTo: held.record.tokens.dpopKey)
        if begun == epoch, self.held != nil {
            self.held?.record.user = User(subject: info.subject) { info.claims[$0] }
            if case .signedIn(_, let connectivity) = state { publish(.signedIn(self.held?.record.user, connectivity)) }
        }
        return info
    }

    func requireProvider() throws(AuthSessionError) -> OpenIDProvider {
        guard let provider = backend.provider else { throw AuthSessionError(.contractMismatch) }
        return provider
    }

    /// What a sign-in at a provider gave, as a session begins with it.
    func signedIn(
        _ answer: OpenIDTokens,
        _ parameters: AuthorizationParameters,
        boundTo key: DPoPKey?
    ) -> SignedIn {
        var tokens = answer.tokens
        // RFC 6749, 5.1: left out where it is what was asked for.
        tokens.scope = tokens.scope ?? parameters.scope
        tokens.proofKey = key?.bytes
        // The request that got them may have been the last of many, and a while ago.
        let now = clock.moment()
        let start = tokens.lifetime.issuedAt ?? now.date
        let issued = IssuedTokens(tokens: tokens, requestedAt: Moment(date: start, uptime: now.uptime(of: start)))
        let user = answer.idToken.map { idToken in User(subject: idToken.subject) { idToken.claims[$0] } }
        return SignedIn(issued: issued, user: user)
    }

    /// A call of the sign-in, its failures told in the session's words.
    func openIDAnswer<Value: Sendable>(_ call: () async throws -> Value) async throws -> Value {
        do {
            return try await call()
        } catch let error as TokenEndpointError {
            let isKeySet = (error.underlying as? IDTokenError)?.code == .keysUnavailable
            if error.isPassing || isKeySet { throw AuthSessionError(.unreachable, underlying: error) }
            throw AuthSessionError(error.code == .refused ? .signInRefused : .unsafeAnswer, underlying: error)
        }
    }
}
