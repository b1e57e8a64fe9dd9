// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Testing

@Suite struct APIErrorTests {
    @Test func `an error keeps the beginning of the body and does not print it`() async throws {
        let fixture = try CallFixture { _ in .json("sk-4f1d" + String(repeating: "x", count: 5_000), status: 400) }
        let error = try #require(await fixture.failure())
        #expect(error.body?.unredacted.prefix(7) == Array("sk-4f1d".utf8)[...])
        #expect(error.body?.count == 4_096)
        var dumped = ""
        dump(error, to: &dumped)
        for text in ["\(error)", String(reflecting: error), dumped] {
            #expect(!text.contains("4f1d"))
        }
    }

    @Test(arguments: [0, 1, 4_096]) func `a short body is kept whole`(length: Int) async throws {
        let fixture = try CallFixture { _ in .json(String(repeating: "x", count: length), status: 400) }
        let error = try #require(await fixture.failure())
        #expect(error.body?.count == length)
    }

    @Test func `a malformed response comes after a retry`() async throws {
        let responses = ResponseSequence([CallFixture.refusal(503), .json("[]")])
        let fixture = try CallFixture { _ in try responses.next() }
        let error = await fixture.failure()
        #expect(error?.code == .malformedResponse)
        #expect(fixture.clock.pauses == [.milliseconds(200)])
    }

    @Test func `errors are compared by code`() {
        #expect(APIError(.refused, status: 400) == APIError(.refused, status: 422))
        #expect(APIError(.refused) != APIError(.forbidden))
    }

    @Test func `an error's description does not contain a redirect's location`() async throws {
        let fixture = try CallFixture { _ in CallFixture.redirect(302, to: "http://sk-4f1d.example.com/sk-4f1d") }
        let error = try #require(await fixture.failure())
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!"\(error)\(dumped)".contains("4f1d"))
    }
}
