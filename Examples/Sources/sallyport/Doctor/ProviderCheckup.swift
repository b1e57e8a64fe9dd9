// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import FoundationEssentials
import HTTPTypes
import OpenIDConnect

/// The check that a provider can be reached, has valid metadata and agrees on the time.
struct ProviderCheckup {
    let issuer: String
    let settings: ProviderSettings

    func findings() async -> [Finding] {
        do {
            let provider = try Issuer(ProviderAddress.issuer(in: issuer))
            let clock = try? await clock(provider.baseURL)
            let metadata = try await ProviderMetadata.discover(issuer: provider, settings: settings)
            // The report names no server that the user has not named.
            let endpoint = metadata.authorizationEndpoint.description
            let isSameOrigin = (try? BaseURL(endpoint))?.origin == provider.baseURL.origin
            let place = isSameOrigin ? endpoint : "another server"
            let discovery = Finding(subject: "Provider", sentence: "Found; users sign in at \(place).")
            return [discovery] + [clock].compactMap(\.self)
        } catch {
            let known = Failure(error) ?? Failure(.failed, "The provider can't be checked.", "Check its address.")
            let failure = known.withoutProxy(of: error)
            return [
                Finding(subject: "Provider", failure)
            ]
        }
    }

    /// Compares the provider's clock with this device's, or returns nil if the response has no usable date.
    private func clock(_ base: BaseURL) async throws -> Finding? {
        let client = APIClient(baseURL: base, transport: settings.transport, timeout: .seconds(15))
        let sent = Date()
        let answer = try await client.send(.raw(.get, "/.well-known/openid-configuration").anonymous)
        guard let field = answer.head.headerFields[.date],
            let offset = ClockOffset(dateField: field, sent: sent, received: Date())
        else { return nil }
        guard offset.isNotable else { return Finding(subject: "Clock", sentence: offset.description) }
        return Finding(
            subject: "Clock",
            sentence: offset.description,
            advice: "Set the clock. Otherwise tokens expire too early or too late.",
            command: "sudo timedatectl set-ntp true",
            status: .failed
        )
    }
}
