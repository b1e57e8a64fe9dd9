#if LoopbackRedirect && (os(Linux) || os(macOS))
import NIOHTTP1
import Testing

@testable import OpenIDConnect

/// Decisions by the owner of the requesting process.
@Suite struct CallbackRouterTests {
    private static let url = "https://provider.example/logout?id_token_hint=e30.e30.c2ln"

    private let door = CallbackRouter(path: "/callback", appName: nil)

    private func response(to target: String, from owner: PeerOwner) -> LoopbackResponse {
        door.accept(authority: "127.0.0.1:40123")
        let head = HTTPRequestHead(
            version: .http1_1,
            method: .GET,
            uri: target,
            headers: ["Host": "127.0.0.1:40123"]
        )
        return door.response(to: head) { owner }
    }

    private func location(_ answer: LoopbackResponse) -> String? {
        answer.head(contentLength: 0).headers["Location"].first
    }

    @Test(arguments: [PeerOwner.trusted, .unsupported])
    func `a browser is sent on once`(owner: PeerOwner) {
        let path = door.addRedirect(to: Self.url)
        #expect(location(response(to: path, from: owner)) == Self.url)
        #expect(location(response(to: path, from: owner)) == nil)
    }

    /// A process that reads the browser's arguments could be first.
    @Test(arguments: [PeerOwner.untrusted, .unknown])
    func `a process that may be another user's is not sent on, and the browser is`(owner: PeerOwner) {
        let path = door.addRedirect(to: Self.url)
        #expect(location(response(to: path, from: owner)) == nil)
        #expect(location(response(to: path, from: .trusted)) == Self.url)
    }

    /// State, PKCE and nonce protect the callback.
    @Test func `a callback is taken from a process whose owner is not known`() {
        #expect(door.open(for: .signIn) { _ in CallbackRouter.AcceptedCallback(succeeded: true, announce: {}) })
        #expect(response(to: "/callback?code=c", from: .untrusted).status == .forbidden)
        #expect(response(to: "/callback?code=c", from: .unknown).status == .ok)
    }
}
#endif
