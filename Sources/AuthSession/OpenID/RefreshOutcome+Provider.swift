import APIClient
import OpenIDConnect

extension RefreshOutcome {
    /// What a failure of a provider's token endpoint means.
    ///
    /// Only `invalid_grant` ends the session. All else leaves it: no network, a provider that failed, an answer that can't be
    /// read, settings of the app that the provider does not take.
    init(providerFailure error: any Error) {
        guard let error = error as? TokenEndpointError else {
            self = .failed((error as? AuthSessionError) ?? AuthSessionError(.refreshFailed, underlying: error))
            return
        }
        switch error.code {
        case .refused where error.oauthCode == .invalidGrant:
            self = .refused(AuthSessionError(.sessionEnded, underlying: error))
        case .unreachable:
            let fault = error.underlying as? APIError
            // It was too late for it to leave, and the provider has no token.
            let left = (fault?.underlying as? TransportError)?.mayHaveReachedServer ?? (fault?.code != .bodyFailed)
            self =
                left
                ? .unknown(AuthSessionError(.refreshOutcomeUnknown, underlying: error))
                : .failed(AuthSessionError(.unreachable, underlying: error))
        case .unreadable:
            self = .unknown(AuthSessionError(.refreshOutcomeUnknown, underlying: error))
        case .serverFailed where error.status == 502 || error.status == 504:
            // A proxy's: the provider behind it may have carried the refresh out.
            self = .unknown(AuthSessionError(.refreshOutcomeUnknown, underlying: error))
        case .serverFailed, .rateLimited, .redirected:
            self = .failed(AuthSessionError(.unreachable, underlying: error))
        case .refused where error.oauthCode == nil:
            // Not OAuth's words: somebody on the way may have said them.
            self = .failed(AuthSessionError(.unreachable, underlying: error))
        case .refused:
            self = .failed(AuthSessionError(.refreshFailed, underlying: error))
        default:
            self = .failed(AuthSessionError(.unsafeAnswer, underlying: error))
        }
    }
}
