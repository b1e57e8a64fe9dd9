// SPDX-License-Identifier: Apache-2.0

import APIClient
public import AuthSession
public import OpenIDConnect

extension AuthSession {
    /// Signs in at the provider with a code that the user enters on another device.
    ///
    /// If the task is cancelled, the sign-in ends at once and stops polling.
    ///
    /// - Parameter show: Shows the address and the code to the user.
    /// - Returns: The user who signed in, if the provider names one.
    /// - Throws: `AuthSessionError` (`contractMismatch`, `storeUnavailable`, `signInRefused`, `unreachable`,
    ///   `invalidResponse`, `superseded`); `OpenIDError`; the errors of `show`; `CancellationError`.
    ///
    /// [RFC 8628](https://www.rfc-editor.org/rfc/rfc8628).
    @discardableResult
    public func signInWithDeviceCode(
        _ parameters: AuthorizationParameters = AuthorizationParameters(),
        showing show: @Sendable (DeviceAuthorization) async throws -> Void
    ) async throws -> SessionUser? {
        let provider = try requireProvider()
        let ticket = try await signInTicket()
        return try await ticket.observing {
            await removeOverdueSignIns()
            try await flushPendingRevocationsBeforeSignIn()
            let key = parameters.usesDPoP ? DPoPKey() : nil
            let device = try await provider.deviceAuthorization(parameters)
            try await show(device)
            let known = parameters.withDefaults(for: provider.metadata)
            return try await begin(ticket, at: provider, known, dpopKey: key) { mayShareGrant in
                try await provider.tokens(
                    for: device,
                    maximumAge: parameters.maximumAge,
                    dpopKey: key,
                    mayShareGrant: mayShareGrant
                )
            }
        }
    }
}
