import AuthCore
import HTTPTypes

/// An error answer.
///
/// [RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2).
struct OAuthRefusal: Error {
    let code: String
    let description: String
    var status = 400
    var fields: HTTPFields = [:]

    init(_ code: String, _ description: String, status: Int = 400, fields: HTTPFields = [:]) {
        self.code = code
        self.description = description
        self.status = status
        self.fields = fields
    }

    /// The answer of an endpoint that speaks JSON.
    var answer: ProviderAnswer {
        ProviderAnswer(
            status: status,
            fields: fields,
            content: .members(["error": .string(code), "error_description": .string(description)])
        )
    }

    /// The answer of an endpoint that a browser came to, and that it must not leave with a redirect.
    var page: ProviderAnswer {
        ProviderAnswer(
            status: status,
            fields: fields,
            content: .text("<!doctype html><title>\(code)</title><p>\(description)</p>", type: "text/html")
        )
    }
}
