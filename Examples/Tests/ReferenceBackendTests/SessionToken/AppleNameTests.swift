// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import ReferenceBackend
import Testing

@Suite("The name of a user of Sign in with Apple")
struct AppleNameTests {
    /// Claims with `email_verified` as a string, as in some of Apple's tokens.
    private struct StringClaims: Encodable {
        private enum CodingKeys: CodingKey {
            case email_verified
        }

        let claims: StandInClaims
        let isVerified: String

        func encode(to encoder: any Encoder) throws {
            try claims.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(isVerified, forKey: .email_verified)
        }
    }

    private func run(_ test: (AppleFlow) async throws -> Void) async throws {
        try await TestBackend.run(configure: { $0.appleStandInPort = 0 }) { try await test(AppleFlow(server: $0)) }
    }

    @Test func `the name that Apple sends once survives later sign-ins`() async throws {
        try await run { flow in
            let first = try await flow.appleResponse()
            #expect(first.fields["user"]?.contains("Example") == true)
            #expect(try await flow.callback(first).status == 303)
            let second = try await flow.appleResponse()
            #expect(second.fields["user"] == nil)
            let code = try #require(try flow.redirected(await flow.callback(second))["code"])
            let response = try await flow.redeem(code)
            #expect(response.user("name") == "Eve Example")
            #expect(response.user("email") == "eve@example.com")
        }
    }

    @Test func `the name is kept even if the browser never comes back to the app`() async throws {
        try await run { flow in
            _ = try await flow.code()
            #expect(try await flow.signIn().user("name") == "Eve Example")
        }
    }

    @Test(arguments: [
        #"{"name":{"firstName":"Mallory","lastName":"M"}}"#, #"{"name":{"firstName":"","lastName":""}}"#, "{}", "x",
    ])
    func `a later response changes no name`(user: String) async throws {
        try await run { flow in
            #expect(try await flow.signIn().status == 200)
            let form = try await flow.appleResponse()
            let code = try #require(try flow.redirected(await flow.callback(form, ["user": user]))["code"])
            #expect(try await flow.redeem(code).user("name") == "Eve Example")
            #expect(try await flow.server.signIn(name: " ").user("name") == "Eve Example")
        }
    }

    @Test func `the address is the one in Apple's token`() async throws {
        try await run { flow in
            let user = #"{"name":{"firstName":"Eve"},"email":"victim@example.com"}"#
            let form = try await flow.appleResponse()
            let code = try #require(try flow.redirected(await flow.callback(form, ["user": user]))["code"])
            let response = try await flow.redeem(code)
            #expect(response.user("email") == "eve@example.com")
            #expect(response.user("name") == "Eve")
        }
    }

    @Test(arguments: [("true", "eve@example.com"), ("false", nil)] as [(String, String?)])
    func `whether an address is verified can be a string`(isVerified: String, email: String?) async throws {
        try await run { flow in
            let server = flow.server
            var claims = try server.claims()
            claims.email_verified = nil
            let token = try server.standIn.key.sign(StringClaims(claims: claims, isVerified: isVerified))
            let answer = try await server.signIn(token)
            #expect(answer.status == 200)
            #expect(answer.user("email") == email)
        }
    }

    @Test(arguments: [false, nil] as [Bool?])
    func `an address that Apple has not verified is not kept`(isVerified: Bool?) async throws {
        try await run { flow in
            let server = flow.server
            var claims = try server.claims()
            claims.email_verified = isVerified
            #expect(try await server.signIn(server.standIn.key.sign(claims)).user("email") == nil)
        }
    }

    @Test(
        arguments: [
            ("Eve\u{1B}[31m\nExample", "Eve [31m Example"), ("\u{202E}Eve\u{200B} \u{2066}Example", "Eve Example"),
            ("  Eve \t Example  ", "Eve Example"), ("\u{0}\u{7F}", nil), ("", nil), ("  ", nil),
            ("\u{200D}", nil), ("\u{3164}\u{2800}", nil),
            ("नमस्ते\u{200D}", "नमस्ते\u{200D}"), ("O\u{2019}Brien", "O\u{2019}Brien"),
        ] as [(String, String?)]
    )
    func `a name is made safe to store and to show`(text: String, name: String?) async throws {
        try await run { flow in
            let user = try JSONSerialization.data(withJSONObject: ["name": ["firstName": text]])
            let form = try await flow.appleResponse()
            let changed = ["user": String(decoding: user, as: UTF8.self)]
            let code = try #require(try flow.redirected(await flow.callback(form, changed))["code"])
            #expect(try await flow.redeem(code).user("name") == name)
        }
    }

    @Test func `a name that is too long is cut, and the sign-in goes on`() async throws {
        try await run { flow in
            let user = #"{"name":{"firstName":"\#(String(repeating: "é", count: 500))"}}"#
            let form = try await flow.appleResponse()
            let code = try #require(try flow.redirected(await flow.callback(form, ["user": user]))["code"])
            #expect(try await flow.redeem(code).user("name") == String(repeating: "é", count: 100))
        }
    }
}
