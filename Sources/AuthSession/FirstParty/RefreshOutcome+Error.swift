import APIClient
import OpenIDConnect

extension RefreshOutcome {
    /// What a failure of a first-party refresh call means.
    ///
    /// Only a 401 ends the session, and a 400 that says `invalid_grant`. All else leaves it: no network, a server that
    /// failed, an answer that is no JSON, settings of the app that the server does not take.
    init(firstPartyFailure error: any Error) {
        guard let error = error as? APIError else {
            self = .failed((error as? AuthSessionError) ?? AuthSessionError(.refreshFailed, underlying: error))
            return
        }
        switch error.code {
        case .unauthorized where error.refusesTheApp:
            self = .failed(AuthSessionError(.refreshFailed, underlying: error))
        case .unauthorized,
            .refused where error.status == 400 && error.serverCode == .invalidGrant:
            self = .refused(AuthSessionError(.sessionEnded, underlying: error))
        case .unreachable:
            let left = (error.underlying as? TransportError)?.mayHaveReachedServer ?? true
            self =
                left
                ? .unknown(AuthSessionError(.refreshOutcomeUnknown, underlying: error))
                : .failed(AuthSessionError(.unreachable, underlying: error))
        case .bodyFailed:
            // It was too late for it to leave, and the server has no token.
            self = .failed(AuthSessionError(.unreachable, underlying: error))
        case .unreadableAnswer:
            self = .unknown(AuthSessionError(.refreshOutcomeUnknown, underlying: error))
        case .serverFailed where error.status == 502 || error.status == 504:
            // A proxy's: the server behind it may have carried the refresh out.
            self = .unknown(AuthSessionError(.refreshOutcomeUnknown, underlying: error))
        case .serverFailed, .rateLimited, .redirected:
            self = .failed(AuthSessionError(.unreachable, underlying: error))
        case .refused where error.status == 408:
            self = .failed(AuthSessionError(.unreachable, underlying: error))
        default:
            self = .failed(AuthSessionError(.refreshFailed, underlying: error))
        }
    }
}

extension AuthSessionError {
    /// Whether a refresh that failed with this may have replaced the tokens all the same.
    ///
    /// A server may fail after it has, and what it answers with success has, also where no token in it can be used.
    var mayHaveBeenCarriedOut: Bool {
        if code == .unsafeAnswer { return true }
        return (underlying as? APIError)?.code == .serverFailed
            || (underlying as? TokenEndpointError)?.code == .serverFailed
    }
}

extension ServerErrorCode {
    /// The grant is used up, revoked, expired, or another client's.
    ///
    /// [RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2).
    fileprivate static let invalidGrant = ServerErrorCode(rawValue: "invalid_grant")
}

extension APIError {
    /// The server refuses the app, whose API key is missing or wrong, and has said nothing about the person.
    var refusesTheApp: Bool { serverCode?.rawValue == "invalid_api_key" }
}
