// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// The steps of a user's browser at the stand-in for Apple, one at a time.
enum AppleCurl {
    /// Opens the backend's address and presses Continue on Apple's page.
    ///
    /// - Parameters:
    ///   - address: The backend's address.
    ///   - email: The user's e-mail address.
    /// - Returns: The address and the fields of the form that the page then posts, unposted.
    /// - Throws: An error if a step fails.
    static func response(to address: String, email: String) async throws -> (address: String, form: [String]) {
        let apple = try await curl(["-o", "/dev/null", "-w", "%{redirect_url}", address])
        let parts = apple.split(separator: "?", maxSplits: 1).map(String.init)
        try #require(parts.count == 2, "\(apple)")
        let page = try await curl([
            "--data", parts[1], "--data-urlencode", "email=\(email)", "--data-urlencode", "name=Dana Driver", "--data",
            "action=continue", parts[0],
        ])
        let action = try #require(try /<form method="post" action="([^"]*)"/.firstMatch(in: page)?.1)
        let fields = page.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/)
            .map { "\($0.1)=\($0.2.replacing("&quot;", with: "\"").replacing("&amp;", with: "&"))" }
        return (String(action), fields)
    }

    /// Posts the form to the backend, and follows the redirect to the tool.
    static func post(_ form: [String], to address: String) async throws {
        _ = try await curl(["-L"] + form.flatMap { ["--data-urlencode", $0] } + [address])
    }

    /// Posts the form to the backend, and returns the address of its redirect.
    static func redirect(_ form: [String], from address: String) async throws -> String {
        let head = try await curl(
            ["-o", "/dev/null", "-D", "-"] + form.flatMap { ["--data-urlencode", $0] } + [address]
        )
        // As it is in the response: curl writes addresses of another scheme in another way.
        return String(try #require(try /(?mi)^location: (\S+)/.firstMatch(in: head)?.1))
    }

    /// Tries to redeem a code with a verifier and a nonce of its own.
    static func redeem(_ code: String, at backend: String) async throws -> String {
        let body = [
            "code": code, "code_verifier": String(repeating: "v", count: 43),
            "nonce": String(repeating: "0", count: 64),
        ]
        return try await Curl.post(backend + "/api/auth/apple/redeem", json: try JSONEncoder().encode(body)).text
    }

    private static func curl(_ arguments: [String]) async throws -> String {
        let output = try await Command("curl", ["-sS", "--noproxy", "*"] + arguments).run()
        try #require(output.exitCode == 0, "\(output.errorText)")
        return output.text
    }
}
