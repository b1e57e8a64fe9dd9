// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension InProcessProvider {
    /// A request to a provider, recorded for tests.
    ///
    /// Contains secrets.
    public struct Request: Sendable {
        /// The outcome of a request.
        public enum Outcome: Sendable, Hashable {
            /// The response with this status was sent.
            case responded(Int)
            /// The request was carried out, and its response with this status was lost.
            case responseLost(Int)
            /// The request never arrived.
            case unreachable
        }

        /// The endpoint of the request; nil if the provider has no endpoint at the path.
        public let endpoint: Endpoint?
        /// The method.
        public let method: String
        /// The path, without the query.
        public let path: String
        /// The header fields.
        public let fields: HTTPFields
        /// The query's parameters, decoded and in order.
        public let query: [(name: String, value: String)]
        /// The form's parameters, decoded and in order; empty if the body is not a form.
        public let form: [(name: String, value: String)]
        /// The body as received.
        public let body: [UInt8]
        /// The outcome of the request.
        public let outcome: Outcome

        init(_ request: ProviderRequest, at endpoint: Endpoint?, outcome: Outcome) {
            self.endpoint = endpoint
            method = request.method.rawValue
            path = request.path
            fields = request.fields
            query = Parameters(formEncoded: request.query.utf8)?.items ?? []
            let isForm = request.hasContentType("application/x-www-form-urlencoded")
            form = isForm ? Parameters(formEncoded: request.body)?.items ?? [] : []
            body = request.body
            self.outcome = outcome
        }

        /// The status of the response; nil if no response arrived.
        public var status: Int? {
            if case .responded(let status) = outcome { status } else { nil }
        }

        /// Returns the first value of a parameter of the form; nil if there is no such parameter.
        public func formValue(_ name: String) -> String? { form.first { $0.name == name }?.value }

        /// Returns the first value of a parameter of the query; nil if there is no such parameter.
        public func queryValue(_ name: String) -> String? { query.first { $0.name == name }?.value }
    }
}
