import APIClient
import AuthCore
public import AuthSession
public import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AuthSession {
    /// Signs in at the provider with a code that the user enters on another device.
    ///
    /// If the task is cancelled, the sign-in ends at once and stops polling.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the device authorization request.
    ///   - show: The closure that shows the address and the code to the user.
    /// - Returns: The user who signed in.
    /// - Throws: `AuthSessionError` (`contractMismatch`, `storeUnavailable`, `signInRefused`, `unreachable`,
    ///   `invalidResponse`, `superseded`); `DeviceAuthorizationError`; the errors of `show`; `CancellationError`.
    ///
    /// [RFC 8628](https://www.rfc-editor.org/rfc/rfc8628).
    @discardableResult
    public func signInWithDeviceCode(
        _ parameters: AuthorizationParameters = AuthorizationParameters(),
        showing show: @Sendable (DeviceAuthorization) async throws -> Void
    ) async throws -> SessionUser? {
        let provider = try requireProvider()
        let ticket = try await signInTicket()
        await removeOverdueSignIns()
        try await revokePendingBeforeSignIn()
        let key = parameters.usesDPoP ? DPoPKey() : nil
        let device = try await provider.deviceAuthorization(parameters)
        try await show(device)
        await cancelRevocations()
        let tokens = try await openIDResponse {
            try await provider.tokens(for: device, maximumAge: parameters.maximumAge, dpopKey: key)
        }
        var user = user(of: tokens)
        if user == nil {
            // Some providers return no ID token here. The userinfo endpoint names the user.
            do {
                let info = try await provider.userInfo(with: tokens.tokens.accessToken, of: nil, dpopKey: key)
                user = SessionUser(subject: info.subject) { info.claims[$0] }
            } catch {
                revokeUnused(tokens.tokens, of: nil)
                throw error
            }
        }
        return try await complete(ticket, with: issued(tokens, parameters, dpopKey: key), user: user)
    }

    /// Asks the provider for its claims about the user.
    ///
    /// The claims' subject must be the session's user. The user's name, email address and telephone number in the
    /// session's state become those of the claims.
    ///
    /// - Returns: The claims.
    /// - Throws: `UserInfoError`; the errors of `accessToken()`; `CancellationError`.
    public func userInfo() async throws -> UserInfo {
        let provider = try requireProvider()
        // Token and key are read together, because another user may sign in meanwhile.
        let credential = try await credential()
        do {
            return try await userInfo(of: provider, with: credential)
        } catch let error as UserInfoError where error.code == .unauthorized {
            // The token was revoked, or has expired by the provider's clock: tried once with another one.
            let other = try await self.credential(insteadOf: credential.accessToken)
            return try await userInfo(of: provider, with: other)
        }
    }

    private func userInfo(of provider: OpenIDProvider, with credential: AccessCredential) async throws -> UserInfo {
        let (subject, begun) = try currentUser()
        let info = try await provider.userInfo(
            with: credential.accessToken,
            of: subject,
            dpopKey: credential.binding?.key
        )
        update(SessionUser(subject: info.subject) { info.claims[$0] }, since: begun)
        return info
    }

    func requireProvider() throws(AuthSessionError) -> OpenIDProvider {
        guard let provider else { throw AuthSessionError(.contractMismatch) }
        return provider
    }

    /// The provider that the session signs in at, or nil if the backend isn't an OpenID provider.
    public nonisolated var provider: OpenIDProvider? { backend.provider }

    /// Returns the tokens that a session begins with.
    func issued(
        _ response: OpenIDTokens,
        _ parameters: AuthorizationParameters,
        dpopKey key: DPoPKey?
    ) -> IssuedTokens {
        var tokens = response.tokens
        // RFC 6749, 5.1: the server may omit the scope if it equals the requested one.
        tokens.scope = tokens.scope ?? parameters.scope
        tokens.dpopKey = key?.bytes
        // The token request may have been the last of many polls, and not recent.
        let now = clock.moment()
        let start = tokens.lifetime.issuedAt ?? now.date
        return IssuedTokens(tokens: tokens, requestedAt: ClockReading(date: start, uptime: now.uptime(of: start)))
    }

    /// Returns the user named by the ID token, or nil if there is no ID token.
    func user(of response: OpenIDTokens) -> SessionUser? {
        response.idToken.map { idToken in SessionUser(subject: idToken.subject) { idToken.claims[$0] } }
    }

    /// Calls the token endpoint and maps its errors to `AuthSessionError`.
    func openIDResponse<Value: Sendable>(_ call: () async throws -> Value) async throws -> Value {
        do {
            return try await call()
        } catch let error as TokenEndpointError {
            let isKeySet = (error.underlying as? IDTokenError)?.code == .keysUnavailable
            if error.isRetryable || isKeySet { throw AuthSessionError(.unreachable, of: error) }
            throw AuthSessionError(error.code == .refused ? .signInRefused : .invalidResponse, of: error)
        }
    }
}
