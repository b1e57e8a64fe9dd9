// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Contract B from a client's side.
extension TestBackend {
    struct Pair: Sendable, Equatable {
        let access: String
        let refresh: String
    }

    static var loginBody: [String: Any] {
        [
            "email": email, "password": password, "rememberMe": true,
            "deviceInfo": [
                "platform": "linux", "osVersion": "12", "model": "pc", "appVersion": "1.0",
                "installationID": "6F9619FF-8B86-D011-B42D-00C04FC964FF",
            ],
        ]
    }

    func login() async throws -> Pair {
        let answer = try await post("/api/v1/auth/login", Self.loginBody)
        return try pair(answer)
    }

    func refresh(_ token: String) async throws -> TestResponse {
        try await post("/api/v1/auth/refresh", ["refreshToken": token])
    }

    func logout(_ pair: Pair) async throws -> TestResponse {
        try await post("/api/v1/auth/logout", ["refreshToken": pair.refresh], bearer: pair.access)
    }

    func pair(_ answer: TestResponse) throws -> Pair {
        #expect(answer.status == 200)
        return Pair(
            access: try #require(answer.string("accessToken")),
            refresh: try #require(answer.string("refreshToken"))
        )
    }
}
