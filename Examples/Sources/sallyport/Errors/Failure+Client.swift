// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

/// The failures of a client that can't prove its identity.
extension Failure {
    /// Returns the failure for an error, or nil if the error is of another kind.
    static func ofClient(_ error: (any Error)?) -> Failure? {
        guard let error = error as? OpenIDError, error.operation == .clientAssertion else { return nil }
        return Failure(.failed, error.description, advice(for: error))
    }

    private static func advice(for error: OpenIDError) -> String {
        switch error.reason {
        case .identityTokenUnreadable, .identityTokenMalformed:
            "Check the file of --workload-token, and the program that renews it. The session stays."
        default: "Check the file of --private-key."
        }
    }

}
