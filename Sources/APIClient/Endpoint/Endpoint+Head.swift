// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

/// A decoded response and the head that it came with.
package struct ResponseWithHead<Value: Sendable>: Sendable {
    /// The value.
    package let value: Value
    /// The status and fields, as the server sent them.
    package let head: HTTPResponse
}

extension Endpoint {
    /// The same call, whose result includes the response's head.
    package var withHead: Endpoint<ResponseWithHead<Response>> {
        let decode = decode
        return Endpoint<ResponseWithHead<Response>>(self) { ResponseWithHead(value: try decode($0), head: $0.head) }
    }
}
