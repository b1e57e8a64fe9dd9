// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// The tests' own requests: sent by a program other than the tested one, without any proxy.
enum Curl {
    struct Response: Sendable {
        let status: Int
        let body: Data

        var text: String { String(decoding: body, as: UTF8.self) }

        /// The body as one JSON object.
        var object: [String: Any] {
            (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
        }
    }

    static func get(_ url: String, authorization: String? = nil) async throws -> Response {
        try await send([url] + (authorization.map { ["--header", "Authorization: \($0)"] } ?? []))
    }

    static func post(_ url: String, json: Data) async throws -> Response {
        try await send([url, "--header", "Content-Type: application/json", "--data-binary", "@-"], input: json)
    }

    private static func send(_ arguments: [String], input: Data = Data()) async throws -> Response {
        let options = ["--silent", "--show-error", "--noproxy", "*", "--write-out", "\n%{http_code}"]
        let output = try await Command("curl", options + arguments, input: input).run()
        try #require(output.exitCode == 0, "\(output.errorText)")
        let end = try #require(output.standardOutput.lastIndex(of: UInt8(ascii: "\n")))
        let status = try #require(Int(String(decoding: output.standardOutput[(end + 1)...], as: UTF8.self)))
        return Response(status: status, body: Data(output.standardOutput[..<end]))
    }
}
