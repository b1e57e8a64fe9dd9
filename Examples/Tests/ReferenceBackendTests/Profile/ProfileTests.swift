// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import Testing

@Suite("The user's profile")
struct ProfileTests {
    private static let path = "/api/me"

    private func run(
        configure: (inout BackendSettings) -> Void = { _ in },
        _ test: (TestBackend) async throws -> Void
    ) async throws {
        try await TestBackend.run(
            configure: { settings in
                settings.appleStandInPort = 0
                configure(&settings)
            },
            test
        )
    }

    @Test func `a driver's account lists what it lacks, in every response with a user, until it is complete`()
        async throws
    {
        try await run { server in
            let signIn = try await server.signIn(app: TestBackend.driverApp)
            #expect(signIn.missing == ["name", "phoneNumber"])
            let token = try #require(signIn.string("token"))
            #expect(try await server.post("/api/auth/validate", bearer: token).missing == ["name", "phoneNumber"])
            let named = try await server.put(Self.path, ["name": "Dana Driver"], bearer: token)
            #expect(named.object["success"] as? Bool == true)
            #expect(named.user("name") == "Dana Driver")
            #expect(named.missing == ["phoneNumber"])
            let complete = try await server.put(Self.path, ["phoneNumber": "+1 (415) 555-0100"], bearer: token)
            #expect(complete.user("phoneNumber") == "+14155550100")
            #expect(complete.user("name") == "Dana Driver")
            #expect(complete.missing == nil)
            #expect(try await server.post("/api/auth/validate", bearer: token).missing == nil)
            #expect(try await server.signIn(app: TestBackend.driverApp).missing == nil)
        }
    }

    @Test func `a driver of contract B is asked too, and a customer of neither contract`() async throws {
        try await run { server in
            #expect(try await server.signIn().missing == nil)
            let customer = try await server.post("/api/v1/auth/login", TestBackend.loginBody)
            #expect(customer.user("name") == "Ada")
            #expect(customer.missing == nil)
            try await server.backend.addAccount(
                email: "dana@example.com",
                password: TestBackend.password,
                name: "Dana",
                role: .driver
            )
            var body = TestBackend.loginBody
            body["email"] = "dana@example.com"
            let driver = try await server.post("/api/v1/auth/login", body)
            #expect(driver.missing == ["phoneNumber"])
            let access = try #require(driver.string("accessToken"))
            let changed = try await server.put(Self.path, ["phoneNumber": "0014155550100"], bearer: access)
            #expect(changed.user("phoneNumber") == "+14155550100")
            #expect(changed.missing == nil)
        }
    }

    @Test func `the settings decide what is required`() async throws {
        try await run(configure: { $0.requiredProfile = [.customer: [.phoneNumber]] }) { server in
            #expect(try await server.signIn(app: TestBackend.driverApp).missing == nil)
            let other = try await server.post("/api/v1/auth/login", TestBackend.loginBody)
            #expect(other.missing == ["phoneNumber"])
        }
    }

    private static let invalidNumbers = [
        "", " ", "1", "4155550100", "+", "+0155550100", "+1234567", "+1234567890123456", "+1415555O100",
        "+1 415 555 0100 x", "++14155550100", "+١٤١٥٥٥٥٠١٠٠", "+1\u{202E}4155550100",
        "+1" + String(repeating: " ", count: 40) + "4155550100",
    ]

    @Test(arguments: invalidNumbers)
    func `a telephone number without its country code or with other characters is refused`(text: String) async throws {
        try await run { server in
            let token = try await server.sessionToken()
            let response = try await server.put(Self.path, ["phoneNumber": text], bearer: token)
            #expect(response.status == 422)
            #expect(response.code == "invalid_profile")
            #expect(response.message == "Enter the phone number with its country code, for example +1 415 555 0100.")
            #expect(try await server.post("/api/auth/validate", bearer: token).user("phoneNumber") == nil)
        }
    }

    private static let invalidNames = [
        "", "  ", "Da\nna", "Da\u{0}na", "Da\u{1B}[31mna", "Da\u{202E}na", "Da\u{2028}na",
        "Da\u{200B}na", "Da\u{E0041}na", "\u{200B}", "\u{200D}", "\u{3164}", "\u{2800}",
        String(repeating: "a", count: 201),
    ]

    @Test(arguments: invalidNames)
    func `a name that is empty, too long or can't be seen on a line is refused`(text: String) async throws {
        try await run { server in
            let token = try await server.sessionToken()
            let body = ["name": text, "phoneNumber": "+14155550100"]
            let response = try await server.put(Self.path, body, bearer: token)
            #expect(response.status == 422)
            #expect(response.code == "invalid_profile")
            let user = try await server.post("/api/auth/validate", bearer: token)
            #expect(user.user("name") == nil)
            #expect(user.user("phoneNumber") == nil)
        }
    }

    @Test(arguments: ["  Ada Lovelace ", "李小龍", "نام\u{200C}ها"])
    func `a name in any script is kept without surrounding space`(text: String) async throws {
        try await run { server in
            let token = try await server.sessionToken()
            let response = try await server.put(Self.path, ["name": text], bearer: token)
            #expect(response.user("name") == text.trimmingCharacters(in: .whitespaces))
        }
    }

    @Test func `a request without a token, or with members of another type, changes nothing`() async throws {
        try await run { server in
            #expect(try await server.put(Self.path, ["name": "Ada"]).code == "missing_token")
            let token = try await server.sessionToken()
            #expect(try await server.put(Self.path, ["name": 7], bearer: token).code == "invalid_request")
            #expect(try await server.put(Self.path, [String](), bearer: token).code == "invalid_request")
            let unchanged = try await server.put(Self.path, ["role": "driver"], bearer: token)
            #expect(unchanged.user("role") == "customer")
            #expect(unchanged.user("name") == nil)
        }
    }
}
