// SPDX-License-Identifier: Apache-2.0

import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// [RFC 8628, 3.4](https://www.rfc-editor.org/rfc/rfc8628#section-3.4).
extension ProviderState {
    /// Responds to a device that polls for the user's decision.
    mutating func pollDevice(_ ask: TokenRequest) throws(OAuthError) -> [String: JSONValue] {
        let code = try ask.required("device_code")
        let date = ask.exchange.date
        guard var device = devices[code], device.clientID == ask.client.id else {
            throw OAuthError("invalid_grant", "The device code is unknown.")
        }
        guard date < device.expiration else { throw OAuthError("expired_token", "The device code has expired.") }
        let isTooSoon = device.lastPoll.map { date < $0.adding(device.interval) } ?? false
        device.lastPoll = date
        // RFC 8628, 3.5: five seconds more for this and all later polls.
        if isTooSoon { device.interval += .seconds(5) }
        devices[code] = device
        guard !isTooSoon else { throw OAuthError("slow_down", "The device polls too often.") }
        switch device.decision {
        case .pending:
            throw OAuthError("authorization_pending", "The user has not decided.")
        case .denied:
            throw OAuthError("access_denied", "The user refused.")
        case .approved(let user, let signedIn):
            devices[code] = nil
            let family = begin(
                RefreshTokenFamily(
                    clientID: device.clientID,
                    user: user,
                    scope: device.scope,
                    signedIn: signedIn,
                    authenticationContext: nil,
                    resources: device.resources,
                    claims: .none,
                    dpopThumbprint: ask.dpopThumbprint
                )
            )
            return try issue(family, ask)
        }
    }
}
