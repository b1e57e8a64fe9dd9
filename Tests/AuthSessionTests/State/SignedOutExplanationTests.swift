// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AuthSession

/// The sign-in screen's explanation of why it shows.
struct SignedOutExplanationTests {
    @Test(arguments: [.noSession, .userSignedOut] as [SignedOutReason])
    func `a reason that the user knows has no explanation`(reason: SignedOutReason) {
        #expect(reason.explanation == nil)
    }

    @Test func `every other reason has its own explanation`() {
        let reasons: [SignedOutReason] = [
            .signedOutElsewhere, .endedByServer, .refreshResponseLost, .expired, .appleIDRevoked,
            .unreadableRecord(.otherBackend), .unreadableRecord(.unknownVersion), .unreadableRecord(.damaged),
        ]
        let sentences = reasons.compactMap(\.explanation)
        #expect(Set(sentences).count == reasons.count)
        #expect(sentences.allSatisfy { $0.hasSuffix(".") })
    }
}
