import Testing

@testable import AuthSession

/// The sign-in screen's explanation of why it shows.
struct SignedOutExplanationTests {
    @Test(arguments: [.neverSignedIn, .signedOutByPerson] as [SignedOutReason])
    func `who knows it is told nothing`(reason: SignedOutReason) {
        #expect(reason.explanation == nil)
    }

    @Test func `every other reason has a sentence of its own`() {
        let reasons: [SignedOutReason] = [
            .signedOutElsewhere, .endedByServer, .answerLost, .expired, .unreadableRecord(.otherBackend),
            .unreadableRecord(.unknownVersion), .unreadableRecord(.damaged),
        ]
        let sentences = reasons.compactMap(\.explanation)
        #expect(Set(sentences).count == reasons.count)
        #expect(sentences.allSatisfy { $0.hasSuffix(".") })
    }
}
