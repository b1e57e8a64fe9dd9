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
        try await flushPendingRevocationsBeforeSignIn()
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
}
