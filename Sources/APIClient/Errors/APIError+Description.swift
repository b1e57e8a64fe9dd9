#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension APIError: CustomStringConvertible {
    /// The name, out of the caller's own type, of a member that the answer lacks.
    private var missingMember: String? {
        guard case .keyNotFound(let key, _)? = underlying as? DecodingError else { return nil }
        return "no member \(key.stringValue)"
    }

    /// One sentence.
    public var description: String {
        if let fault = underlying as? TransportError { return fault.description }
        let details = [status.map { "status \($0)" }, serverCode?.rawValue, missingMember].compactMap { $0 }
        return details.isEmpty ? sentence + "." : "\(sentence) (\(details.joined(separator: ", ")))."
    }

    private var sentence: String {
        switch code {
        case .unauthorized: "The server does not take this sign-in"
        case .forbidden: "The server does not allow this"
        case .insufficientScope: "The sign-in does not cover this: the server wants a wider scope"
        case .proofUnavailable: "The access token is bound to a key that is not at hand"
        case .dpopNonceRequired: "The server wants a proof of possession with its nonce"
        case .bodyNotRepeatable: "The request would have to be sent again, and its body can't be sent again"
        case .rateLimited: "The server asks to wait before the next request"
        case .serverFailed: "The server failed"
        case .redirected: "The server redirects to another address, which is not followed"
        case .tooManyRedirects: "The server redirects again and again"
        case .unsafeRedirect: "The server redirects to an address that is not safe to go to"
        case .unreadableAnswer: "The server's answer can't be read"
        case .invalidEndpoint: "A path begins with a slash and holds no query; a query goes beside it"
        case .originNotAllowed: "Credentials are not sent to a server that they are not for"
        case .unreachable: "The server can't be reached"
        case .timedOut: "The request took longer than it may"
        case .invalidRequest: "The request is not one that can be sent"
        case .bodyFailed: "What the request was to carry could not be read"
        default: "The server refused the request"
        }
    }
}

extension APIError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
