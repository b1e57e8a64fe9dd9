// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Testing

@testable import OpenIDConnect

/// The code and URL that a user sees who signs in on another device: they must not mislead.
///
/// [RFC 8628, 3.2](https://www.rfc-editor.org/rfc/rfc8628#section-3.2).
@Suite struct DeviceAuthorizationConformanceTests {
    @Test func `the user code and the verification URI are those of the provider`() async throws {
        let app = try await RelyingParty()
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters(scope: "openid email"))
        #expect(device.verificationURI == "https://provider.example/device")
        #expect(device.verificationURIComplete == "https://provider.example/device?user_code=\(device.userCode)")
        #expect(device.lifetime == .seconds(600))
        let form = try app.onlyRequest(at: .deviceAuthorization).form
        #expect(form.map(\.name) == ["client_id", "scope"])
        #expect(form.last?.value == "openid email")
    }

    @Test(
        arguments: [
            ("verification_uri", .string("javascript:alert(1)")), ("verification_uri", .string("http://a.example/")),
            ("verification_uri", .string("https://a.example/\u{1B}[2J")), ("verification_uri", .string("device")),
            ("verification_uri_complete", .string("file:///etc/passwd")), ("user_code", .string("A\u{202E}B")),
            ("user_code", .string("")), ("user_code", .string(String(repeating: "A", count: 65))),
        ] as [(String, JSONValue)]
    )
    func `an unsafe user code or verification URI is refused`(member: String, value: JSONValue) async throws {
        let app = try await RelyingParty()
        app.server.inject(.responseMember(member, value, at: .deviceAuthorization))
        let error = await #expect(throws: OpenIDError.self) {
            try await app.provider.deviceAuthorization(AuthorizationParameters())
        }
        #expect(error == OpenIDError(.deviceAuthorization, .invalidResponse))
        #expect(try await app.provider.deviceAuthorization(AuthorizationParameters()).userCode.count == 9)
    }

    @Test(arguments: ["device_code", "user_code", "verification_uri", "expires_in"])
    func `a response without a required member is unreadable`(member: String) async throws {
        let app = try await RelyingParty()
        app.server.inject(.responseMember(member, nil, at: .deviceAuthorization))
        let error = await #expect(throws: OpenIDError.self) {
            try await app.provider.deviceAuthorization(AuthorizationParameters())
        }
        #expect(error == OpenIDError(.deviceAuthorization, .malformedResponse))
    }

    @Test(
        arguments: ["interval", "expires_in"],
        [.integer(-1), .number(-1e300), .string("soon"), .boolean(true)] as [JSONValue]
    )
    func `an invalid duration is unreadable`(member: String, value: JSONValue) async throws {
        let app = try await RelyingParty()
        app.server.inject(.responseMember(member, value, at: .deviceAuthorization))
        let error = await #expect(throws: OpenIDError.self) {
            try await app.provider.deviceAuthorization(AuthorizationParameters())
        }
        #expect(error == OpenIDError(.deviceAuthorization, .malformedResponse))
    }

    @Test(arguments: [.number(1e300), .integer(.max), .string("999999999999999999")] as [JSONValue])
    func `a code is valid for a day at most`(lifetime: JSONValue) async throws {
        let app = try await RelyingParty()
        app.server.inject(.responseMember("expires_in", lifetime, at: .deviceAuthorization))
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        #expect(device.lifetime == .seconds(86_400))
    }

    @Test(
        arguments: [
            (.error("invalid_scope", at: .deviceAuthorization), OpenIDError(.deviceAuthorization, .refused)),
            (.status(503, at: .deviceAuthorization), OpenIDError(.deviceAuthorization, .serverFailed)),
            (.unreachable(at: .deviceAuthorization), OpenIDError(.deviceAuthorization, .unreachable)),
            (.html(at: .deviceAuthorization), OpenIDError(.deviceAuthorization, .malformedResponse)),
        ] as [(InProcessProvider.Fault, OpenIDError)]
    )
    func `a failed device authorization request reports its cause`(
        fault: InProcessProvider.Fault,
        code: OpenIDError
    ) async throws {
        let app = try await RelyingParty()
        app.server.inject(fault)
        let error = await #expect(throws: OpenIDError.self) {
            try await app.provider.deviceAuthorization(AuthorizationParameters())
        }
        #expect(error == code)
    }

    @Test func `nothing is sent if the provider has no device authorization endpoint`() async throws {
        let app = try await RelyingParty(fault: {
            $0.inject(.responseMember("device_authorization_endpoint", nil, at: .discovery))
        })
        let error = await #expect(throws: OpenIDError.self) {
            try await app.provider.deviceAuthorization(AuthorizationParameters())
        }
        #expect(error == OpenIDError(.deviceAuthorization, .unsupported))
        #expect(app.server.requests.map(\.endpoint) == [.discovery])
    }
}
