// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The request and the decision that a device code stands for.
struct DeviceAuthorization: Sendable {
    enum Decision: Sendable {
        case pending
        case approved(InProcessProvider.User, Date)
        case denied
    }

    let clientID: String
    let userCode: String
    let scope: Scope
    let resources: [String]
    let expiration: Date
    var interval: Duration
    var lastPoll: Date?
    var decision = Decision.pending
}

/// [RFC 8628, 3.1](https://www.rfc-editor.org/rfc/rfc8628#section-3.1).
extension ProviderState {
    /// The letters of a user code: no vowels, so that no words form, and no lookalikes (RFC 8628, 6.1).
    private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ")

    mutating func deviceAuthorization(_ exchange: Exchange) throws(OAuthError) -> EndpointResponse {
        let form = try exchange.request.form()
        let client = try authenticate(exchange, form)
        guard client.grantTypes.contains(GrantType.deviceCode) else {
            throw OAuthError("unauthorized_client", "The client is not allowed to use this grant type.")
        }
        let device = DeviceAuthorization(
            clientID: client.id,
            userCode: makeUserCode(),
            scope: try grantable(form["scope"]),
            resources: try resources(form),
            expiration: exchange.date.adding(configuration.deviceCodeLifetime),
            interval: configuration.deviceInterval
        )
        let code = makeSecret()
        devices[code] = device
        let page = address.origin + address.path + "/device"
        return EndpointResponse([
            "device_code": .string(code),
            "user_code": .string(device.userCode),
            "verification_uri": .string(page),
            "verification_uri_complete": .string("\(page)?user_code=\(device.userCode)"),
            "expires_in": .seconds(configuration.deviceCodeLifetime),
            "interval": .seconds(configuration.deviceInterval),
        ])
    }

    private func makeUserCode() -> String {
        let letters = (0..<8).map { _ in Self.letters[Int.random(in: Self.letters.indices)] }
        return String(letters[..<4]) + "-" + String(letters[4...])
    }

    /// Records the user's decision; returns false if no device waits with this code.
    mutating func decide(_ userCode: String, at date: Date, isApproved: Bool) -> Bool {
        // Compared as users type it: RFC 8628, 6.1.
        let typed = userCode.uppercased().filter { $0.isLetter }
        let date = date.adding(clockOffset)
        let match = devices.first { $0.value.userCode.filter { $0.isLetter } == typed && date < $0.value.expiration }
        guard let code = match?.key, case .pending? = match?.value.decision else { return false }
        if isApproved, let user = configuration.user {
            devices[code]?.decision = .approved(user, date)
        } else {
            devices[code]?.decision = .denied
        }
        return true
    }
}
