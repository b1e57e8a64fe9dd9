// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

@Suite struct TokenTargetTests {
    /// One character, two names of APIs.
    @Test func `names are compared byte for byte`() {
        let (composed, decomposed) = ("https://api.example/\u{E9}", "https://api.example/e\u{301}")
        let targets = [composed, decomposed].flatMap { [TokenTarget(audiences: [$0]), TokenTarget(resources: [$0])] }
        #expect(Set(targets).count == 4)
        #expect(TokenTarget(audiences: [composed]) == TokenTarget(audiences: [composed]))
    }

    @Test func `the kind and the order of names, and the scope, tell targets apart`() {
        let targets = [
            TokenTarget(), TokenTarget(audiences: ["a", "b"]), TokenTarget(audiences: ["b", "a"]),
            TokenTarget(audiences: ["ab"]), TokenTarget(resources: ["a", "b"]),
            TokenTarget(audiences: ["a"], resources: ["b"]), TokenTarget(audiences: ["a", "b"], scope: "email"),
            TokenTarget(audiences: ["a", "b"], scope: "profile"),
        ]
        #expect(Set(targets).count == targets.count)
        #expect(TokenTarget(scope: "email profile") == TokenTarget(scope: "profile email"))
    }
}
