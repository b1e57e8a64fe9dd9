// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes
import Testing

@testable import OpenIDConnect

/// Token responses as servers send them.
///
/// [RFC 6749, 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1).
@Suite struct TokenResponseTests {
    private static func response(_ body: String, form: Bool = false, status: Int = 200) -> ProviderResponse {
        let type = form ? "application/x-www-form-urlencoded; charset=utf-8" : "application/json"
        return ProviderResponse(
            status: status,
            fields: [.contentType: type],
            body: Array(body.utf8),
            learnedOffset: nil
        )
    }

    private static func read(_ response: ProviderResponse, isRefresh: Bool = false) throws(OpenIDError) -> TokenResponse
    {
        try TokenResponse(response, isBound: false, isRefresh: isRefresh, ProviderSettings())
    }

    private static func token(with members: String) -> ProviderResponse {
        response(#"{"access_token":"a","token_type":"Bearer",\#(members)}"#)
    }

    @Test(
        arguments: [
            (#"["openid","email"]"#, "openid email"), (#"["openid email","profile"]"#, "openid email profile"),
            (#""openid email""#, "openid email"), ("[]", nil), (#""""#, nil), ("null", nil),
        ] as [(String, Scope?)]
    )
    func `a scope is a text or a list`(scope: String, expected: Scope?) throws {
        #expect(try Self.read(Self.token(with: #""scope":\#(scope)"#)).scope == expected)
    }

    @Test(arguments: ["1", "{}", "[1]", #"["openid",null]"#])
    func `another scope is malformed, and costs no refresh its tokens`(scope: String) throws {
        let response = Self.token(with: #""refresh_token":"r","scope":\#(scope)"#)
        #expect(throws: OpenIDError(.token, .malformedResponse)) { try Self.read(response) }
        #expect(try Self.read(response, isRefresh: true).refreshToken?.unredacted == "r")
    }

    @Test(arguments: ["null", #""""#], [true, false])
    func `a member that is null or empty is absent`(value: String, isRefresh: Bool) throws {
        let names =
            ["refresh_token", "expires_in", "scope", "error_description"]
            + (value == "null" ? ["id_token", "error", "issued_token_type"] : [])
        let members = names.map { #""\#($0)":\#(value)"# }.joined(separator: ",")
        let response = try Self.read(Self.token(with: members), isRefresh: isRefresh)
        #expect(try response.access.get().unredacted == "a")
        #expect(response.refreshToken == nil)
        #expect(response.expiresIn == nil)
        #expect(!response.hasMalformedIDToken)
    }

    // MARK: Forms

    /// GitHub answers so if `Accept` gets lost on the way.
    @Test func `a form is read in place of JSON`() throws {
        let body =
            "access_token=gho_%31&expires_in=28800&refresh_token=ghr_2&scope=repo+user%3Aemail&token_type=bearer\n"
        let response = try Self.read(Self.response(body, form: true))
        #expect(try response.access.get().unredacted == "gho_1")
        #expect(response.refreshToken?.unredacted == "ghr_2")
        #expect(response.expiresIn == 28_800)
        #expect(response.scope == "repo user:email")
        #expect(try Self.read(Self.response("access_token=a&scope=&token_type=bearer", form: true)).scope == nil)
    }

    @Test(arguments: [200, 400])
    func `an error in a form is a refusal`(status: Int) throws {
        let body = "error=bad_verification_code&error_description=The+code+is+incorrect.&error_uri=https%3A%2F%2Fa"
        let error = #expect(throws: OpenIDError.self) { try Self.read(Self.response(body, form: true, status: status)) }
        #expect(error?.code == .refused)
        #expect(error?.oauthCode == OAuthErrorCode(rawValue: "bad_verification_code"))
        #expect(error?.serverMessage == "The code is incorrect.")
    }

    @Test(arguments: [
        "access_token=a&token_type=bearer&access_token=b", "access_token=%GG&token_type=bearer", "",
        "access_token=%FF&token_type=bearer",
        "access_token=a&token_type=bearer&scope=" + String(repeating: "a", count: 524_288),
        "access_token=a&token_type=bearer&\(String(repeating: "n", count: 257))=",
    ])
    func `a form with a repeated member, bad escapes or too many bytes is malformed`(body: String) throws {
        #expect(throws: OpenIDError(.token, .malformedResponse)) { try Self.read(Self.response(body, form: true)) }
    }

    @Test func `a form is read only under its own content type`() throws {
        #expect(throws: OpenIDError(.token, .malformedResponse)) {
            try Self.read(Self.response("access_token=a&token_type=bearer"))
        }
    }

    @Test func `a device code comes in a form, too`() throws {
        let body =
            "device_code=d&expires_in=899&interval=5&user_code=AB-CD"
            + "&verification_uri=https%3A%2F%2Fprovider.example%2Fdevice&verification_uri_complete="
        let device = try DeviceAuthorization(Self.response(body, form: true), of: Issuer(Provider.issuer))
        #expect(device.userCode == "AB-CD")
        #expect(device.lifetime == .seconds(899))
        #expect(device.verificationURIComplete == nil)
    }
}
