// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes

extension ScriptedTransport {
    /// Returns the bodies of the requests that had one, in order.
    var bodies: [[UInt8]] { requests.filter { $0.head.method == .post }.map { $0.body ?? [] } }
}
