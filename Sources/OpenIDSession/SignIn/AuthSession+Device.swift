// SPDX-License-Identifier: Apache-2.0

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
        return try await ticket.observing { try await signIn(ticket, at: provider, parameters, showing: show) }
    }

    private func signIn(
        _ ticket: SignInTicket,
        at provider: OpenIDProvider,
        _ parameters: AuthorizationParameters,
        showing show: @Sendable (DeviceAuthorization) async throws -> Void
    ) async throws -> SessionUser? {
        await removeOverdueSignIns()
        try await flushPendingRevocationsBeforeSignIn()
        let key = parameters.usesDPoP ? DPoPKey() : nil
        let device = try await provider.deviceAuthorization(parameters)
        try await show(device)
        await cancelRevocations()
        let mayShareGrant = mayShareGrant(ticket)
        let tokens = try await openIDResponse {
            try await provider.tokens(
                for: device,
                maximumAge: parameters.maximumAge,
                dpopKey: key,
                mayShareGrant: mayShareGrant
            )
        }
        return try await begin(ticket, with: tokens, parameters.withDefaults(for: provider.metadata), dpopKey: key)
    }
}
