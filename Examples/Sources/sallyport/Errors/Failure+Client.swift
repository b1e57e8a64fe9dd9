// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

/// The failures of a client that can't prove its identity, or whose policy forbids a request.
extension Failure {
    /// Returns the failure for an error, or nil if the error is of another kind.
    static func ofClient(_ error: (any Error)?) -> Failure? {
        switch error {
        case let error as ClientAssertionError: Failure(.failed, error.description, advice(for: error))
        case let error as ClientPolicyError: Failure(.wrongArguments, error.description, advice(for: error))
        default: nil
        }
    }

    private static func advice(for error: ClientAssertionError) -> String {
        switch error.code {
        case .identityTokenUnreadable, .identityTokenMalformed:
            "Check the file of --workload-token, and the program that renews it. The session stays."
        default: "Check the file of --private-key."
        }
    }

    private static func advice(for error: ClientPolicyError) -> String {
        switch error.code {
        case .noClientCertificate:
            "Give --certificate FILE and --certificate-key FILE with each command of the session."
        case .clientAuthentication: "Use --private-key, or --certificate with --certificate-key."
        case .assertionAudience: "Use --assertion-audience issuer."
        case .assertionAlgorithm: "Use --assertion-algorithm es256 or ps256."
        case .tokensNotBound: "Use --dpop."
        default: "Sign in without --fapi2, or ask the provider's operator for the FAPI 2.0 Security Profile."
        }
    }
}
