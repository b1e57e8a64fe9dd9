// SPDX-License-Identifier: Apache-2.0

import AuthSession
package import OpenIDConnect

extension OpenIDError: ExplainedError {
    /// The operation and the code, such as `authorizationRefused`.
    package var eventType: String { operation.rawValue + code.rawValue.capitalizedFirst }

    package var isCancelled: Bool { code == .cancelled }

    package var isForUser: Bool {
        switch (operation, code) {
        case (.userInfo, _), (.registration, _), (.revocation, _): true
        // The provider's code, and the reason that its response was rejected, are for developers.
        case (_, .refused), (.token, _), (.pushedAuthorization, _), (.clientAssertion, _): false
        case (.discovery, _): !isRetryable && reason != .redirected
        default: true
        }
    }
}

extension IDTokenError: ExplainedError {
    /// The failed check, such as `idTokenExpired`.
    package var eventType: String { "idToken" + code.rawValue.capitalizedFirst }

    package var isCancelled: Bool { false }

    package var isForUser: Bool { false }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
