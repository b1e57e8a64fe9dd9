import APIClient

extension OpenIDProvider {
    /// Begins a sign-in on another device.
    ///
    /// - Parameters:
    ///   - parameters: What is asked for; of it the scope, the resources and the additional parameters go out.
    ///   - proofKey: What the tokens are to be bound to; nil for bearer tokens.
    /// - Returns: What the person is shown.
    /// - Throws: ``DeviceAuthorizationError`` (`notOffered`, `unreachable`, `refused`, `unreadable`, `unsafeAnswer`);
    ///   ``AuthorizationError`` (`invalidParameters`); `CancellationError`.
    ///
    /// [RFC 8628, 3.1](https://www.rfc-editor.org/rfc/rfc8628#section-3.1).
    public func deviceAuthorization(
        _ parameters: AuthorizationParameters,
        boundTo proofKey: DPoPKey? = nil
    ) async throws -> DeviceAuthorization {
        guard let endpoint = metadata.optional.deviceAuthorization else {
            throw DeviceAuthorizationError(.notOffered)
        }
        let credentials = client.credentials
        // RFC 8628, 3.1: the client names itself, also where it authenticates in a field.
        let name = credentials.form.contains { $0.0 == "client_id" } ? [] : [("client_id", client.id)]
        let form = credentials.form + name + (try parameters.form())
        do {
            let answer = try await ProviderClient(settings: settings).post(form, to: endpoint, credentials.fields)
            guard answer.isSuccess else { throw TokenEndpointError(answer, hiding: client.secrets(in: form), settings) }
            return try DeviceAuthorization(answer, of: metadata.issuer)
        } catch let error as TokenEndpointError {
            throw DeviceAuthorizationError(error.code == .refused ? .refused : .unreachable, underlying: error)
        } catch let error as APIError {
            throw DeviceAuthorizationError(.unreachable, underlying: error)
        }
    }

    /// Waits until the person has typed the code, and takes the tokens.
    ///
    /// Asks no more often than the provider wants; where no answer comes, less and less often. Ends at once when the task
    /// is cancelled.
    ///
    /// - Parameters:
    ///   - device: What the person was shown.
    ///   - maximumAge: How long ago the person may have authenticated, where that was asked for.
    ///   - proofKey: What the tokens are to be bound to; nil for bearer tokens.
    /// - Returns: Tokens whose ID token was verified; some providers give none here, and then nobody is named.
    /// - Throws: ``DeviceAuthorizationError`` (`expired`, `cancelled`); ``TokenEndpointError``; `CancellationError`.
    ///
    /// Wire: `grant_type=urn:ietf:params:oauth:grant-type:device_code`.
    /// [RFC 8628, 3.4](https://www.rfc-editor.org/rfc/rfc8628#section-3.4) and
    /// [3.5](https://www.rfc-editor.org/rfc/rfc8628#section-3.5).
    public func tokens(
        for device: DeviceAuthorization,
        maximumAge: Duration? = nil,
        boundTo proofKey: DPoPKey? = nil
    ) async throws -> OpenIDTokens {
        try await poll(device, maximumAge, proofKey, by: settings.clock)
    }

    private func poll<C: Clock<Duration>>(
        _ device: DeviceAuthorization,
        _ maximumAge: Duration?,
        _ proofKey: DPoPKey?,
        by clock: C
    ) async throws -> OpenIDTokens {
        let end = clock.now.advanced(by: device.lifetime)
        var interval = device.interval
        // For how long the provider asked, once, to be left alone.
        var rest = Duration.zero
        while clock.now < end {
            // Not past the code's end, whatever the provider says of pauses.
            let next = min(clock.now.advanced(by: max(interval, rest)), end)
            try await clock.sleep(until: next, tolerance: nil)
            rest = .zero
            do {
                return try await ask(device, maximumAge, proofKey)
            } catch let error as TokenEndpointError {
                switch error.oauthCode {
                case .authorizationPending: continue
                // RFC 8628, 3.5: 5 seconds more for this and all that follow.
                case .slowDown: interval += .seconds(5)
                case .expiredToken: throw DeviceAuthorizationError(.expired, underlying: error)
                case .accessDenied: throw DeviceAuthorizationError(.cancelled, underlying: error)
                default:
                    guard error.isPassing else { throw error }
                    interval = Self.lessOften(than: interval)
                    rest = min(error.retryAfter ?? .zero, .seconds(300))
                }
            }
        }
        throw DeviceAuthorizationError(.expired)
    }

    /// RFC 8628, 3.5: after a connection timeout, less often; twice the time is recommended.
    ///
    /// Up to a minute, or little more than the provider wants where that is longer: the person waits, too.
    private static func lessOften(than interval: Duration) -> Duration {
        max(interval + .seconds(5), min(interval * 2, .seconds(60)))
    }

    private func ask(
        _ device: DeviceAuthorization,
        _ maximumAge: Duration?,
        _ proofKey: DPoPKey?
    ) async throws -> OpenIDTokens {
        let start = settings.now()
        let grant = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", device.deviceCode),
        ]
        let answer = try await TokenEndpoint(provider: self).exchange(grant, boundTo: proofKey)
        guard answer.idToken != nil || answer.hasMalformedIDToken || maximumAge != nil else {
            return OpenIDTokens(tokens: answer.tokens(requestedAt: start, idToken: nil), idToken: nil)
        }
        let expected = IDTokenExpectations(
            accessToken: answer.accessToken,
            maximumAge: maximumAge,
            offset: answer.offset
        )
        return try await verified(answer, requestedAt: start, expecting: expected)
    }
}

extension TokenEndpointError {
    /// Whether the same request may succeed later.
    public var isPassing: Bool { [.unreachable, .serverFailed, .rateLimited].contains(code) }
}
