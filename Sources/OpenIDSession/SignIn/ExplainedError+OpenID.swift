// SPDX-License-Identifier: Apache-2.0

import AuthSession
package import OpenIDConnect

extension OpenIDError: ExplainedError {
    package var isCancelled: Bool { code == .cancelled }
}

extension IDTokenError: ExplainedError {
    package var isCancelled: Bool { false }
}
