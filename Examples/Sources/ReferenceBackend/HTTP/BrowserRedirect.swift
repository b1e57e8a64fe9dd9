// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Hummingbird

/// A redirect of a browser.
enum BrowserRedirect {
    /// Returns a redirect with status 303, which turns a form's POST into a GET.
    ///
    /// - Parameters:
    ///   - target: The address, already checked.
    ///   - parameters: The parameters to add to its query; one without a value is omitted.
    /// - Returns: The response, which no cache stores and whose address no other site learns.
    static func response(to target: String, _ parameters: [(String, String?)]) -> Response {
        let query = parameters.compactMap { name, value in value.map { "\(name)=\(FormFields.encode($0))" } }
        let separator = target.contains("?") ? "&" : "?"
        var headers: HTTPFields = [
            .location: target + separator + query.joined(separator: "&"), .cacheControl: "no-store",
        ]
        if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "no-referrer" }
        return Response(status: .seeOther, headers: headers)
    }
}
