// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Testing

@Suite struct InProcessProviderDeviceTests {
    private let client = HandmadeClient()

    private func begin() async throws -> (code: String, userCode: String) {
        let answer = try await client.post(.deviceAuthorization, ["client_id": "native", "scope": "openid"])
        #expect(answer["interval"] == .integer(5))
        #expect(answer["expires_in"] == .integer(600))
        #expect(answer["verification_uri"] == .string("https://provider.example/device"))
        return (answer["device_code"]?.string ?? "", answer["user_code"]?.string ?? "")
    }

    private func poll(_ code: String) async throws -> HandmadeResponse {
        let type = "urn:ietf:params:oauth:grant-type:device_code"
        return try await client.post(.token, ["grant_type": type, "client_id": "native", "device_code": code])
    }

    @Test func `a device waits until the user has decided, and gets tokens once`() async throws {
        let (code, userCode) = try await begin()
        #expect(try await poll(code).error == "authorization_pending")
        #expect(client.provider.approveDevice(userCode: userCode.lowercased().replacing("-", with: " ")))
        client.clock.advance(by: .seconds(5))
        let answer = try await poll(code)
        #expect(try answer.claims()["nonce"] == nil)
        #expect(try await PublishedKeys(client).verify(answer.idToken))
        client.clock.advance(by: .seconds(5))
        #expect(try await poll(code).error == "invalid_grant")
    }

    @Test func `a device that polls too soon must wait five seconds longer before each later poll`() async throws {
        let (code, _) = try await begin()
        #expect(try await poll(code).error == "authorization_pending")
        client.clock.advance(by: .milliseconds(4_999))
        #expect(try await poll(code).error == "slow_down")
        client.clock.advance(by: .milliseconds(9_999))
        #expect(try await poll(code).error == "slow_down")
        client.clock.advance(by: .seconds(15))
        #expect(try await poll(code).error == "authorization_pending")
    }

    @Test func `a device code expires`() async throws {
        let (code, userCode) = try await begin()
        client.clock.advance(by: .seconds(600))
        #expect(try await poll(code).error == "expired_token")
        #expect(!client.provider.approveDevice(userCode: userCode))
    }

    @Test func `a device gets access_denied if the user denies it`() async throws {
        let (code, userCode) = try await begin()
        #expect(client.provider.denyDevice(userCode: userCode))
        #expect(!client.provider.approveDevice(userCode: userCode))
        #expect(try await poll(code).error == "access_denied")
    }

    @Test func `an unknown user code approves no device`() async throws {
        let (code, _) = try await begin()
        #expect(!client.provider.approveDevice(userCode: "AAAA-AAAA"))
        #expect(try await poll(code).error == "authorization_pending")
    }
}
