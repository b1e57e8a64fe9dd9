package import HTTPTypes

/// What an endpoint answers, and the head that it came with.
package struct Answered<Value: Sendable>: Sendable {
    /// The value.
    package let value: Value
    /// Status and fields, by the server's word.
    package let head: HTTPResponse
}

extension Endpoint {
    /// The same call, whose answer keeps its head.
    package var withHead: Endpoint<Answered<Response>> {
        let decode = decode
        return Endpoint<Answered<Response>>(self) { Answered(value: try decode($0), head: $0.head) }
    }
}
