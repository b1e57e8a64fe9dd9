// SPDX-License-Identifier: Apache-2.0

/// This tool's exit code for a fault for which the provider's list leaves a choice.
struct FaultDecision: Sendable {
    let exitCode: Int32
    let reason: String

    /// The decisions by the fault's name; for any other fault the list's own code applies.
    static let all: [String: FaultDecision] = [
        "discovery-redirect": FaultDecision(exitCode: 6, reason: captivePortal),
        "jwks-redirect": FaultDecision(exitCode: 6, reason: captivePortal),
        "jwks-html": FaultDecision(exitCode: 6, reason: captivePortal),
        "jwks-huge": FaultDecision(exitCode: 6, reason: captivePortal),
        "error-and-code": FaultDecision(exitCode: 1, reason: "The error counts, and nothing of the code is used."),
        "aud-array-with-stranger": FaultDecision(exitCode: 0, reason: "azp names us: Core, 3.1.3.7 (4) and (5)."),
        "iat-long-ago": FaultDecision(exitCode: 0, reason: "exp decides: Core, 3.1.3.7 (10) leaves iat to the client."),
        "refresh-wrong-nonce": FaultDecision(exitCode: 0, reason: "The tokens are kept, and the ID token before it."),
        "device-authorization-404": FaultDecision(exitCode: 1, reason: "A refusal without OAuth's words is one too."),
    ]

    private static let captivePortal = "So answers a network that wants to be signed in to first: trying later helps."
}
