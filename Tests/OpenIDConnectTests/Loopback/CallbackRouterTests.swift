// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
import HTTPTypes
import Testing

@testable import OpenIDConnect

/// Decisions by the owner of the requesting process.
@Suite struct CallbackRouterTests {
    private static let url = "https://provider.example/logout?id_token_hint=e30.e30.c2ln"

    private let router = CallbackRouter(authority: "127.0.0.1:40123", path: "/callback", appName: nil)

    private func response(to target: String, from owner: PeerOwner) -> LoopbackResponse {
        let head = RequestHead(method: "GET", target: target, hosts: ["127.0.0.1:40123"])
        return router.response(to: head) { owner }
    }

    private func location(_ answer: LoopbackResponse) -> String? {
        let prefix = "Location: "
        return answer.field.hasPrefix(prefix) ? String(answer.field.dropFirst(prefix.count).dropLast()) : nil
    }

    @Test(arguments: [PeerOwner.trusted, .unsupported])
    func `the browser is redirected once`(owner: PeerOwner) {
        let path = router.addRedirect(to: Self.url)
        #expect(location(response(to: path, from: owner)) == Self.url)
        #expect(location(response(to: path, from: owner)) == nil)
    }

    /// A process that reads the browser's arguments could be first.
    @Test(arguments: [PeerOwner.untrusted, .unknown])
    func `the browser is redirected, but not a process of another or unknown user`(owner: PeerOwner) {
        let path = router.addRedirect(to: Self.url)
        #expect(location(response(to: path, from: owner)) == nil)
        #expect(location(response(to: path, from: .trusted)) == Self.url)
    }

    /// State, PKCE and nonce protect the callback.
    @Test func `a callback from a process with an unknown owner is accepted`() {
        #expect(router.open(for: .signIn) { _ in (true, {}) })
        #expect(response(to: "/callback?code=c", from: .untrusted).status == .forbidden)
        #expect(response(to: "/callback?code=c", from: .unknown).status == .ok)
    }
}
#endif
