public import HTTPTypes

extension InProcessProvider {
    /// A request that was sent to a provider, as a test looks at it.
    ///
    /// Shows secrets.
    public struct Request: Sendable {
        /// What became of a request.
        public enum Outcome: Sendable, Hashable {
            /// It was answered with a status.
            case answered(Int)
            /// It was carried out, and its answer with a status was lost.
            case answerLost(Int)
            /// It never arrived.
            case unreachable
        }

        /// Where it went; nil for a path that is none of the provider's.
        public let endpoint: Endpoint?
        /// The method.
        public let method: String
        /// The path, without the query.
        public let path: String
        /// The header fields.
        public let fields: HTTPFields
        /// The query's parameters, in order.
        public let query: [Parameter]
        /// The form's parameters, in order; empty where the body is no form.
        public let form: [Parameter]
        /// The body as it came.
        public let body: [UInt8]
        /// What became of it.
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

        /// The status that was answered; nil where no answer arrived.
        public var status: Int? {
            if case .answered(let status) = outcome { status } else { nil }
        }

        /// The first value of one of the form's parameters.
        ///
        /// - Parameter name: The parameter's name.
        /// - Returns: The value; nil where there is none.
        public func formValue(_ name: String) -> String? { form.first { $0.name == name }?.value }

        /// The first value of one of the query's parameters.
        ///
        /// - Parameter name: The parameter's name.
        /// - Returns: The value; nil where there is none.
        public func queryValue(_ name: String) -> String? { query.first { $0.name == name }?.value }
    }
}
