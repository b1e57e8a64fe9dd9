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

extension ProviderState {
    /// The letters of a user code: no vowels, so that no words form, and no lookalikes (RFC 8628, 6.1).
    private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ")

    /// [RFC 8628, 3.1](https://www.rfc-editor.org/rfc/rfc8628#section-3.1).
    mutating func deviceAuthorization(_ exchange: Exchange) throws(EndpointError) -> EndpointResponse {
        let form = try exchange.request.form()
        let client = try authenticate(exchange, form)
        try client.checkGrant(.deviceCode)
        let letters = (0..<8).map { _ in Self.letters[Int.random(in: Self.letters.indices)] }
        let device = DeviceAuthorization(
            clientID: client.id,
            userCode: String(letters[..<4]) + "-" + String(letters[4...]),
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

    /// Responds to a device that polls: [RFC 8628, 3.4](https://www.rfc-editor.org/rfc/rfc8628#section-3.4).
    mutating func pollDevice(_ ask: TokenRequest) throws(EndpointError) -> [String: JSONValue] {
        let code = try ask.required("device_code")
        let date = ask.exchange.date
        guard var device = devices[code], device.clientID == ask.client.id else {
            throw .invalidGrant("The device code is unknown.")
        }
        guard date < device.expiration else { throw EndpointError("expired_token", "The device code has expired.") }
        let isTooSoon = device.lastPoll.map { date < $0.adding(device.interval) } ?? false
        device.lastPoll = date
        // RFC 8628, 3.5: five seconds more for this and all later polls.
        if isTooSoon { device.interval += .seconds(5) }
        devices[code] = device
        guard !isTooSoon else { throw EndpointError("slow_down", "The device polls too often.") }
        switch device.decision {
        case .pending:
            throw EndpointError("authorization_pending", "The user has not decided.")
        case .denied:
            throw EndpointError("access_denied", "The user refused.")
        case .approved(let user, let signedIn):
            devices[code] = nil
            let family = begin(ask, user, device.scope, signedIn: signedIn, resources: device.resources)
            return try issue(family, ask)
        }
    }
}
