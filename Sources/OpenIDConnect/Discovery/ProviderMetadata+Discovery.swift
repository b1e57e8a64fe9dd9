public import APIClient

extension ProviderMetadata {
    /// Asks a provider for its metadata.
    ///
    /// - Parameters:
    ///   - issuer: The provider.
    ///   - transport: What carries the request; nil for the platform's.
    /// - Returns: The metadata, its issuer compared exactly with the one asked for.
    /// - Throws: ``DiscoveryError``; `CancellationError`.
    public static func discover(issuer: Issuer, transport: (any Transport)? = nil) async throws -> ProviderMetadata {
        var settings = ProviderSettings()
        settings.transport = transport
        return try await discover(issuer: issuer, settings: settings)
    }

    /// Asks a provider for its metadata.
    ///
    /// - Parameters:
    ///   - issuer: The provider.
    ///   - settings: How it is talked to; of the timeout at most 15 seconds are waited.
    ///   - cache: What was asked before; nil for none.
    /// - Returns: The metadata, its issuer compared exactly with the one asked for.
    /// - Throws: ``DiscoveryError``; `CancellationError`.
    ///
    /// Where the document names no endpoint for revocation, the one of RFC 8414 is looked at too: some providers name what
    /// is OAuth's there alone.
    ///
    /// Wire: `/.well-known/openid-configuration`, `/.well-known/oauth-authorization-server`.
    /// [OpenID Connect Discovery 1.0, 4](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfig).
    public static func discover(
        issuer: Issuer,
        settings: ProviderSettings,
        cache: DiscoveryCache? = nil
    ) async throws -> ProviderMetadata {
        if let known = cache?.metadata(of: issuer) { return known }
        var settings = settings
        settings.timeout = min(settings.timeout, .seconds(15))
        settings.transport = settings.transport ?? DefaultTransport.shared
        // The identifier's own path comes first, and one slash between: Discovery, 4.1.
        let url = issuer.baseURL.description + "/.well-known/openid-configuration"
        var metadata = try ProviderMetadata(try await document(at: url, of: issuer, settings), of: issuer)
        if metadata.optional.revocation == nil {
            let (completed, isKnown) = try await metadata.completed(settings)
            // What could not be asked for now is asked for the next time.
            guard isKnown else { return metadata }
            metadata = completed
        }
        cache?.note(metadata)
        return metadata
    }

    /// With the endpoints that a provider names in the document of RFC 8414 alone.
    ///
    /// A provider without such a document, and one whose document can't be used, is as it was.
    ///
    /// - Returns: The metadata, and whether that document could be asked for.
    private func completed(_ settings: ProviderSettings) async throws -> (ProviderMetadata, isKnown: Bool) {
        // RFC 8414, 3.1: between the host and the path.
        let url = issuer.baseURL.origin + "/.well-known/oauth-authorization-server" + issuer.baseURL.pathPrefix
        do {
            return (try adding(try await Self.document(at: url, of: issuer, settings)), true)
        } catch let error as DiscoveryError {
            let isPassing =
                error.code == .unreachable && error.status.map { $0 == 408 || $0 == 429 || $0 >= 500 } ?? true
            return (self, !isPassing)
        }
    }

    private static func document(
        at url: String,
        of issuer: Issuer,
        _ settings: ProviderSettings
    ) async throws -> [UInt8] {
        let answer: ProviderAnswer
        do {
            answer = try await ProviderClient(settings: settings).get(try EndpointURL(url, of: issuer))
        } catch let error as APIError {
            throw DiscoveryError(error.code == .unreadableAnswer ? .unreadable : .unreachable, underlying: error)
        } catch let error as BaseURLError {
            throw DiscoveryError(.invalidMember, members: ["issuer"], underlying: error)
        }
        guard answer.isSuccess else { throw DiscoveryError(.unreachable, status: answer.status) }
        return answer.body
    }
}
