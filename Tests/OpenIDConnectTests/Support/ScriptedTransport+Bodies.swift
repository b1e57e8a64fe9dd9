// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes

extension ScriptedTransport {
    /// Returns the bodies of the requests that had one, in order.
    func bodies() async throws -> [[UInt8]] {
        var bodies: [[UInt8]] = []
        for request in requests where request.head.method == .post {
            var bytes: [UInt8] = []
            for try await chunk in try await request.body.chunks() { bytes += chunk }
            bodies.append(bytes)
        }
        return bodies
    }
}
