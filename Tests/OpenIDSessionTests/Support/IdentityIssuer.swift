// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting

@testable import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Another program that issues identity tokens, as a Kubernetes cluster does.
enum IdentityIssuer {
    static let name = "https://cluster.example"
    static let subject = "system:serviceaccount:jobs:worker"

    /// Made for tests alone.
    static let privateKey = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIEYAo5peeq1Gd5Xa80CEZdwHkoqe+D+h9kTcZSV/rau6oAoGCCqGSM49
        AwEHoUQDQgAEqzVyrePKvGKPVnTIzJ+sRdoWXr/FD8QN/OX3jlVTVHUc6rMD6zxc
        ZUQBCNsnKVZY+3Cm6a6FhYszRSIZw9g6lA==
        -----END EC PRIVATE KEY-----
        """

    static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqzVyrePKvGKPVnTIzJ+sRdoWXr/F
        D8QN/OX3jlVTVHUc6rMD6zxcZUQBCNsnKVZY+3Cm6a6FhYszRSIZw9g6lA==
        -----END PUBLIC KEY-----
        """

    /// Returns a new identity token for the provider of ``Program``, valid for 200 seconds.
    static func token(at date: Date, for subject: String = IdentityIssuer.subject) async throws -> String {
        let now = Int64(date.timeIntervalSince1970)
        return try await ClientAssertionKey(pem: privateKey).jwt(of: [
            "iss": .string(name), "sub": .string(subject), "aud": .string("https://provider.example"),
            "iat": .integer(now), "exp": .integer(now + 200),
        ])
    }
}
