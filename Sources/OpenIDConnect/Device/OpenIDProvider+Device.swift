// SPDX-License-Identifier: Apache-2.0

public import APIClient
import AuthCore

extension OpenIDProvider {
    /// Starts a sign-in on another device, and returns the code and the URL to show to the user (RFC 8628, 3.1).
    public func deviceAuthorization(_ parameters: AuthorizationParameters) async throws -> DeviceAuthorization {
        guard let endpoint = metadata.deviceAuthorizationEndpoint else {
            throw OpenIDError(.deviceAuthorization, .unsupported)
        }
        let parameters = parameters.withDefaults(for: metadata)
        // RFC 8628, 3.1: the form contains the client ID even if the client authenticates in a header field.
        let form = [("client_id", client.id)] + (try parameters.form(for: metadata))
        let response = try await post(form, to: endpoint, for: .deviceAuthorization, as: deviceClient)
        // GitHub sends its errors with a success status.
        guard response.isSuccess, OAuthErrorResponse(response) == nil else {
            // Google reports an exceeded quota here, under another name.
            if let quota = OAuthErrorResponse(response, in: "error_code") {
                throw OpenIDError(.deviceAuthorization, .refused, quota, status: response.status)
            }
            throw OpenIDError(.deviceAuthorization, response, settings)
        }
        var device = try DeviceAuthorization(response, of: metadata.issuer)
        device.resources = parameters.resources
        return device
    }

    /// The client in the device flow, which some providers want without its secret.
    private var deviceClient: OpenIDClient { profile.sendsSecretInDeviceFlow ? client : .public(id: client.id) }

    /// Polls the token endpoint until the user has approved the sign-in, and returns the tokens (RFC 8628, 3.4 and
    /// 3.5).
    ///
    /// Polls no more often than the provider allows. The maximum age is the requested one. Some providers send no ID
    /// token here; the user is then unknown.
    public func tokens(
        for device: DeviceAuthorization,
        maximumAge: Duration? = nil,
        dpopKey: DPoPKey? = nil
    ) async throws -> OpenIDTokens {
        try await tokens(for: device, maximumAge: maximumAge, dpopKey: dpopKey, mayShareGrant: false)
    }

    /// Polls as ``tokens(for:maximumAge:dpopKey:)``, and doesn't revoke tokens that may share a grant with a session's,
    /// because that could end the session.
    package func tokens(
        for device: DeviceAuthorization,
        maximumAge: Duration?,
        dpopKey: DPoPKey?,
        mayShareGrant: Bool
    ) async throws -> OpenIDTokens {
        let clock = MonotonicClock(settings.clock)
        let end = clock.now + device.lifetime
        var interval = device.interval
        // The pause that the provider last asked for with `Retry-After`; used once.
        var rest = Duration.zero
        while true {
            let next = clock.now + max(interval, rest)
            // Never beyond the code's lifetime, whatever pause the provider asks for.
            try await clock.sleep(until: min(next, end))
            // RFC 8628, 3.5: the client waits for the interval between two polls, even if the code expires before.
            guard next <= end else { throw OpenIDError(.deviceAuthorization, .timedOut) }
            rest = .zero
            do {
                return try await ask(device, maximumAge, dpopKey, mayShareGrant)
            } catch let error as OpenIDError {
                switch error.oauthCode {
                case .authorizationPending: continue
                // RFC 8628, 3.5: 5 seconds more for this and all subsequent polls. GitHub names the new interval.
                case .slowDown:
                    let named = min(error.interval ?? .zero, DeviceAuthorization.longestPause)
                    interval = max(interval + .seconds(5), named)
                case .expiredToken: throw error.coded(.deviceAuthorization, .timedOut)
                // Microsoft has a code of its own.
                case .accessDenied, .authorizationDeclined:
                    throw error.coded(.deviceAuthorization, .cancelled)
                // Google's status while the user has not decided yet, whatever the body is.
                case nil where error.status == 428: continue
                default:
                    guard error.isRetryable else { throw error }
                    // RFC 8628, 3.5: doubling is recommended after a connection timeout; here up to a minute, because
                    // the user is waiting.
                    interval = max(interval + .seconds(5), min(interval * 2, .seconds(60)))
                    rest = min(error.retryAfter ?? .zero, .seconds(300))
                }
            }
        }
    }

    private func ask(
        _ device: DeviceAuthorization,
        _ maximumAge: Duration?,
        _ dpopKey: DPoPKey?,
        _ mayShareGrant: Bool
    ) async throws -> OpenIDTokens {
        let start = settings.now()
        let grant = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", device.deviceCode),
        ]
        let resources = device.resources.map { ("resource", $0) }
        let response = try await TokenEndpoint(provider: self).exchange(
            grant + resources,
            as: deviceClient,
            dpopKey: dpopKey
        )
        guard response.idToken != nil || response.hasMalformedIDToken || maximumAge != nil && metadata.issuesIDTokens
        else {
            return OpenIDTokens(tokens: try response.tokens(requestedAt: start, idToken: nil), idToken: nil)
        }
        let expected = IDTokenExpectations(
            accessToken: try response.access.get(),
            maximumAge: maximumAge,
            offset: response.offset,
            mayShareGrant: mayShareGrant
        )
        return try await verified(response, requestedAt: start, expecting: expected)
    }
}
