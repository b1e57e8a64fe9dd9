// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Synchronization
import Testing

@testable import OpenIDConnect

/// The real listener on a real port: the callbacks that end the wait, and those that don't.
@Suite(.timeLimit(.minutes(1)))
struct LoopbackListenerTests {
    @Test func `the right callback is accepted`() async throws {
        let loopback = try await Loopback.start()
        try await loopback.response {}
    }

    @Test func `the browser opens the URL of the request`() async throws {
        let loopback = try await Loopback.start()
        let opened = Mutex<[String]>([])
        _ = try await loopback.listener.response(to: loopback.request) { url in
            opened.withLock { $0.append(url) }
            try await loopback.rawResponse(to: loopback.rightCallback)
        }
        #expect(opened.withLock { $0 } == [try loopback.request.url()])
    }

    @Test func `the page confirms the sign-in and shows no part of the callback`() async throws {
        let loopback = try await Loopback.start()
        _ = try await loopback.listener.response(to: loopback.request) { _ in
            let answer = try await loopback.rawResponse(to: loopback.rightCallback)
            #expect(answer.body.contains("Signed in"))
            #expect(answer.fields["content-type"] == "text/html; charset=utf-8")
            for part in ["right", loopback.state, "\(loopback.port)"] { #expect(!answer.body.contains(part)) }
        }
    }

    /// RFC 8252, 8.9: any page in the user's browser can send a request here, but does not know the state.
    @Test(arguments: [
        "?code=wrong&state=other", "?code=wrong", "?", "", "?error=access_denied", "?error=access_denied&state=other",
        "?a=1&a=1", "?code=%", "?code=1&code=2&state=other", "?x=%FF", "?code=wrong&State=STATE",
        "?code=wrong&xstate=STATE", "?code=wrong&state=", "?code=wrong&state=STATEx", "?code=wrong;state=STATE",
    ])
    func `a callback without the state is refused, and the wait continues`(query: String) async throws {
        let answer = try await Loopback.rawResponse(toForeign: "GET /callback\(query) HTTP/1.1\r\nHost: HOST\r\n\r\n")
        #expect(answer.status == 400)
        #expect(answer.body.contains("Nothing here"))
    }

    @Test func `repeated guesses of the state do not end the wait`() async throws {
        let loopback = try await Loopback.start()
        try await loopback.response {
            for guess in 0..<100 {
                let answer = try await loopback.rawResponse(to: loopback.get("/callback?code=wrong&state=\(guess)"))
                #expect(answer.status == 400)
            }
        }
    }

    /// RFC 8252, 8.2 and 8.10: no token in place of a code, and no response of another provider.
    @Test(
        arguments: [
            ("error=access_denied&state=STATE", OpenIDError(.authorization, .cancelled)),
            ("error=server_error&state=STATE", OpenIDError(.authorization, .refused)),
            ("state=STATE", OpenIDError(.authorization, .malformedResponse)),
            ("code=a&code=b&state=STATE", OpenIDError(.authorization, .malformedResponse)),
            ("code=a&state=STATE&state=STATE", OpenIDError(.authorization, .malformedResponse)),
            ("access_token=a&state=STATE", OpenIDError(.authorization, .malformedResponse)),
            ("code=c&state=STATE&iss=https%3A%2F%2Fevil.example", OpenIDError(.authorization, .issuerMismatch)),
        ] as [(String, OpenIDError)]
    )
    func `an invalid callback with the right state ends the wait`(query: String, code: OpenIDError)
        async throws
    {
        let loopback = try await Loopback.start()
        let error = await #expect(throws: OpenIDError.self) {
            try await loopback.listener.response(to: loopback.request) { _ in
                let query = query.replacing("STATE", with: loopback.state)
                let answer = try await loopback.rawResponse(to: loopback.get("/callback?\(query)"))
                #expect(answer.status == 200)
                #expect(answer.body.contains("Not signed in"))
            }
        }
        #expect(error == code)
    }

    @Test func `a second callback gets the status 410 and is not accepted`() async throws {
        let loopback = try await Loopback.start()
        let response = try await loopback.listener.response(to: loopback.request) { _ in
            try await loopback.rawResponse(to: loopback.get("/callback?code=first&state=\(loopback.state)"))
            let second = try await loopback.rawResponse(
                to: loopback.get("/callback?code=second&state=\(loopback.state)")
            )
            #expect(second.status == 410)
            #expect(second.body.contains("This sign-in is over"))
        }
        #expect(response.code == "first")
    }

    @Test func `only one of several concurrent callbacks is accepted`() async throws {
        let loopback = try await Loopback.start()
        let taken = Mutex<[String]>([])
        let response = try await loopback.listener.response(to: loopback.request) { _ in
            let codes = try await withThrowingTaskGroup(of: String?.self) { group in
                for code in 0..<8 {
                    group.addTask {
                        let callback = loopback.get("/callback?code=\(code)&state=\(loopback.state)")
                        return try await loopback.rawResponse(to: callback).status == 200 ? "\(code)" : nil
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            taken.withLock { $0 = codes.compactMap(\.self) }
        }
        #expect(taken.withLock { $0 } == [response.code])
    }

    @Test func `a callback before the wait is refused`() async throws {
        let loopback = try await Loopback.start()
        #expect(try await loopback.rawResponse(to: loopback.rightCallback).status == 400)
        try await loopback.response {}
    }

    @Test func `the wait ends if the browser can't be opened`() async throws {
        struct NoBrowser: Error, Equatable {}
        let loopback = try await Loopback.start()
        await #expect(throws: NoBrowser.self) {
            try await loopback.listener.response(to: loopback.request) { _ in throw NoBrowser() }
        }
    }

    @Test func `any kind of callback can be awaited and has its own page`() async throws {
        let loopback = try await Loopback.start(LoopbackRedirect(path: "/signed-out"))
        let query: String = try await loopback.listener.callback(for: .signOut) {
            #expect(try await loopback.rawResponse(to: loopback.get("/signed-out?state=other")).status == 400)
            let answer = try await loopback.rawResponse(to: loopback.get("/signed-out?state=mine"))
            #expect(answer.body.contains("Signed out"))
            let late = try await loopback.rawResponse(to: loopback.get("/signed-out?state=mine"))
            #expect(late.body.contains("This sign-out is over"))
        } _: { query in
            query == "state=mine" ? .success(query) : nil
        }
        #expect(query == "state=mine")
    }

    @Test func `the wait ends with the error of a check that refuses the callback`() async throws {
        let loopback = try await Loopback.start()
        let error = await #expect(throws: OpenIDError.self) {
            try await loopback.listener.callback(for: .signOut) {
                let answer = try await loopback.rawResponse(to: loopback.get("/callback"))
                #expect(answer.body.contains("Sign-out not finished"))
            } _: { _ in
                Result<Void, any Error>.failure(OpenIDError(.authorization, .malformedResponse))
            }
        }
        #expect(error == OpenIDError(.authorization, .malformedResponse))
    }
}
#endif
