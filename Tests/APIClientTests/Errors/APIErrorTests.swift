import APIClient
import AuthTesting
import HTTPTypes
import Testing

@Suite struct APIErrorTests {
    @Test func `the beginning of a failure's body is kept, and is not printed`() async throws {
        let fixture = try CallFixture { _ in .json("sk-4f1d" + String(repeating: "x", count: 5_000), status: 400) }
        let error = try #require(await fixture.failure())
        #expect(error.body?.unredacted.prefix(7) == Array("sk-4f1d".utf8)[...])
        #expect(error.body?.unredacted.count == 4_096)
        #expect(error.body?.isTruncated == true)
        var dumped = ""
        dump(error, to: &dumped)
        for text in ["\(error)", String(reflecting: error), dumped] {
            #expect(!text.contains("4f1d"))
        }
    }

    @Test(arguments: [0, 1, 4_096]) func `a short body is kept whole`(length: Int) async throws {
        let fixture = try CallFixture { _ in .json(String(repeating: "x", count: length), status: 400) }
        let error = try #require(await fixture.failure())
        #expect(error.body?.unredacted.count == length)
        #expect(error.body?.isTruncated == false)
    }

    @Test func `an answer that can't be read says how it was got`() async throws {
        let answers = Answers([CallFixture.refusal(503), .json("[]")])
        let fixture = try CallFixture { _ in try answers.next() }
        let error = await fixture.failure()
        #expect(error?.code == .malformedResponse)
        #expect(error?.attempts == [APIError.Attempt(.retry, status: 503, pause: .milliseconds(200))])
    }

    @Test func `errors are equal by code`() {
        #expect(APIError(.refused, status: 400) == APIError(.refused, status: 422))
        #expect(APIError(.refused) != APIError(.forbidden))
    }

    @Test func `no description holds the address of a redirect`() async throws {
        let fixture = try CallFixture { _ in CallFixture.redirect(302, to: "http://sk-4f1d.example.com/sk-4f1d") }
        let error = try #require(await fixture.failure())
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!"\(error)\(dumped)".contains("4f1d"))
    }
}
