// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import Foundation
import HTTPTypes
import Testing

@testable import OpenIDConnect

@Suite struct ClientAuthenticationTests {
    /// RFC 6749, 2.3.1 and 4.1.3.
    @Test func `Basic authentication matches the example of RFC 6749`() throws {
        let client = OpenIDClient.confidential(id: "s6BhdRkqt3", secret: try ClientSecret("7Fjfp0ZBr1KtDRbnfVdmIw"))
        let credentials = client.credentials
        #expect(credentials.fields[.authorization] == "Basic czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3")
        #expect(credentials.form.isEmpty)
    }

    /// RFC 6749, 2.3.1: both are form-encoded first, so that a colon in them is preserved.
    @Test func `ID and secret are form-encoded before they are joined`() throws {
        let client = OpenIDClient.confidential(id: "a:b c", secret: try ClientSecret("1+2%3&:="))
        let field = try #require(client.credentials.fields[.authorization])
        let decoded = try #require(Data(base64Encoded: String(field.dropFirst("Basic ".count))))
        #expect(String(decoding: decoded, as: UTF8.self) == "a%3Ab+c:1%2B2%253%26%3A%3D")
    }

    /// RFC 6749, appendix B.
    @Test func `the form encoding matches RFC 6749, appendix B`() {
        #expect(FormEncoding.encoded(" %&+\u{A3}\u{20AC}") == "+%25%26%2B%C2%A3%E2%82%AC")
    }

    @Test func `the post method sends the secret only in the form`() throws {
        let client = OpenIDClient.confidential(id: "a", secret: try ClientSecret("s"), method: .post)
        #expect(client.credentials.fields.isEmpty)
        #expect(client.credentials.form.map(\.0) == ["client_id", "client_secret"])
    }

    @Test func `a public client sends its ID and no secret`() {
        let credentials = OpenIDClient.public(id: "a").credentials
        #expect(credentials.fields.isEmpty)
        #expect(credentials.form.map { "\($0.0)=\($0.1)" } == ["client_id=a"])
    }

    @Test func `an identity token is named as a signed assertion is`() {
        let client = OpenIDClient.confidential(id: "a", identity: .file(path: "/token"))
        #expect(client.authentication.name == "private_key_jwt")
        #expect(client.credentials.form.map { "\($0.0)=\($0.1)" } == ["client_id=a"])
    }

    @Test func `an anonymous client sends nothing`() {
        #expect(OpenIDClient.anonymous.credentials.fields.isEmpty)
        #expect(OpenIDClient.anonymous.credentials.form.isEmpty)
    }

    @Test func `a printed client shows no secret`() throws {
        let client = OpenIDClient.confidential(id: "a", secret: try ClientSecret("sk-4f1d"))
        var dumped = ""
        dump(client, to: &dumped)
        #expect(!"\(client) \(String(reflecting: client)) \(dumped)".contains("4f1d"))
    }
}
