// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension OpenIDError: LocalizedError, CustomStringConvertible {
    /// The same sentence as ``description``.
    public var errorDescription: String? { description }

    /// The error in one sentence or two.
    public var description: String {
        if let reason { return sentence(for: reason) }
        return switch code {
        case _ where operation == .discovery && isRetryable: "The metadata document can't be fetched\(discoveryCause)."
        case .unsupported where operation == .userInfo: "The provider has no userinfo endpoint."
        case .unsupported: "The provider doesn't support \(operation.noun)."
        case .unreachable: underlying.map { "\($0)" } ?? "The provider can't be reached."
        case .serverFailed where operation == .revocation: "The provider failed to revoke the token."
        case .serverFailed: "The provider failed\(status.map { " (status \($0))" } ?? "")."
        case .rateLimited: "The provider is limiting requests\(suffix(oauthCode?.rawValue))."
        case .refused: refusal
        case .malformedResponse: malformedResponse
        case .invalidResponse: invalidResponse
        case .cancelled: "The sign-in was cancelled\(suffix(oauthCode?.rawValue))."
        case .timedOut where operation == .deviceAuthorization:
            "The code was not entered in time\(suffix(oauthCode?.rawValue))."
        case .timedOut: "The browser did not return in time."
        case .invalidRequest where operation == .pushedAuthorization:
            "The authorization request must be pushed, and was not."
        case .invalidRequest where operation == .registration:
            "A client ID that is a URL must be https, with a path, and without a user, fragment or dot segment."
        case .invalidRequest: "The sign-in parameters are invalid."
        case .unusableCredential: "The client's key or identity token can't be used."
        case .browserUnavailable: "The browser can't be used."
        }
    }

    private func suffix(_ text: String?) -> String { text.map { " (\($0))" } ?? "" }

    private var ofOtherAddress: String { otherAddress.map { ": \($0)" } ?? "" }

    private var cause: String? { oauthCode?.rawValue ?? status.map { "status \($0)" } }

    /// The status, or the underlying error's sentence as the end of this one.
    private var discoveryCause: String {
        if let status { return " (status \(status))" }
        guard let underlying else {
            return code == .rateLimited ? ": too many requests" : code == .serverFailed ? ": the server failed" : ""
        }
        let sentence = "\(underlying)"
        // It ends with a period, and the name of a proxy may contain others.
        return ": " + sentence.prefix(1).lowercased() + sentence.dropFirst().dropLast()
    }

    private var refusal: String {
        switch operation {
        case .authorization: "\(signInRefusal) (\(oauthCode?.rawValue ?? "no code given"))."
        case .revocation: "The provider refused to revoke the token (\(cause ?? "no reason given"))."
        case .userInfo: "The provider refused the userinfo request\(suffix(cause))."
        default: "The provider refused the request (\(cause ?? "no reason given"))."
        }
    }

    /// The meaning of the provider's code, as the beginning of a sentence.
    private var signInRefusal: String {
        switch oauthCode {
        case .loginRequired: "The user is not signed in at the provider, which may show no page"
        case .interactionRequired: "The provider must show the user a page, and may not"
        case .consentRequired: "The user has not consented at the provider, which may show no page"
        case .accountSelectionRequired: "The user must choose an account at the provider, which may show no page"
        case .unmetAuthenticationRequirements: "The provider did not authenticate the user as required"
        default: "The provider refused the sign-in"
        }
    }

    private var malformedResponse: String {
        switch operation {
        case .discovery: "The metadata document can't be read."
        case .registration: "The provider's registration response can't be used."
        case .authorization, .deviceAuthorization: "The provider's response is malformed."
        case .userInfo: "The userinfo response is malformed."
        default: "The provider's response can't be read."
        }
    }

    private var invalidResponse: String {
        switch operation {
        case .deviceAuthorization: "The provider's response contains an unsafe URL or code."
        case .token: "The response of the provider's token endpoint has no usable token\(suffix(oauthCode?.rawValue))."
        default: "The provider's response can't be used."
        }
    }

    private func sentence(for reason: Reason) -> String {
        switch reason {
        case .stateMismatch: "The response doesn't have this sign-in's state and was rejected."
        case .issuerMismatch where operation == .discovery:
            "The metadata document\(requestedAddress.map { " of \($0)" } ?? "") names another issuer\(ofOtherAddress)."
        case .issuerMismatch: "The response does not name this sign-in's provider (iss) and was rejected."
        case .redirectMismatch: "The redirect doesn't match the sign-in's redirect URI."
        case .noPendingAuthorization: "No pending sign-in expects this response, or it has expired."
        case .resourceMismatch: "The API's metadata are about another API\(ofOtherAddress)."
        case .clientIDMetadataDocumentUnsupported:
            "The provider does not announce that a client ID may be a URL (client_id_metadata_document_supported)."
        case .missingMembers(let names): "The metadata document lacks \(names.joined(separator: ", "))."
        case .invalidMember(let name): "The metadata document has an invalid member: \(name)."
        case .redirected: "The provider sent a redirect, which is not followed\(ofOtherAddress)."
        case .idToken where operation == .userInfo: "The userinfo response is not signed as required."
        case .idToken(let error): error.description
        case .missingSubject: "The userinfo response lacks a subject."
        case .subjectMismatch: "The userinfo response is about another user."
        case .unauthorized: "The provider rejected the access token\(suffix(cause))."
        case .otherAudience: "The access token is for another API, so the provider's userinfo endpoint rejects it."
        case .scopeSeparator: "The requested scopes must be separated by spaces alone."
        case .distinctRedirectRequired:
            "Only the API names the server, whose responses lack iss; it needs a redirect URI of its own."
        case .missingDPoPKey: "The access token is bound to a key (DPoP), and can't be sent without it."
        case .unreadableKey: "The private key can't be read. It must be unencrypted PEM, for P-256 or RSA."
        case .keyTooShort: "The private key is too short. An RSA key must have at least 2048 bits."
        case .algorithmMismatch: "The private key can't sign with the requested algorithm."
        case .keyUnavailable: "The client's private key or identity token is not stored with the session."
        case .signingFailed: "The client assertion could not be signed."
        case .identityTokenUnreadable:
            "The identity token can't be read in time. A file must be a regular one of at most 64 KiB."
        case .identityTokenMalformed: "The identity token is not a signed JWT in the compact form."
        case .noBrowser: "No browser could be opened."
        case .portUnavailable(let port):
            port.map { "Port \($0) of the redirect URI can't be opened; another program may use it." }
                ?? "The port of the redirect URI can't be opened."
        }
    }
}

extension OpenIDError.Operation {
    fileprivate var noun: String {
        switch self {
        case .discovery: "discovery"
        case .registration: "dynamic client registration"
        case .authorization: "authorization in a browser"
        case .pushedAuthorization: "pushed authorization requests"
        case .deviceAuthorization: "device authorization"
        case .clientAssertion: "client assertions"
        case .token: "this request for tokens"
        case .userInfo: "userinfo requests"
        case .revocation: "token revocation"
        }
    }
}
