// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import AuthSession
import AuthTesting
import Foundation
import Glibc
import OpenIDSession
import SecureStore
import Synchronization
import TestSupport
import Testing

@testable import AuthSessionTests
@testable import AuthUI
@testable import OpenIDSessionTests

/// The way of a redirect from the process that the system starts to the process that waits.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct RedirectDeliveryTests {
    @Test func `the sign-in that waits is completed`() async throws {
        let fixture = try await RedirectFixture()
        defer { fixture.folder.remove() }
        let process = try await fixture.launch()
        let signIn = fixture.signIn(in: process)
        let address = try fixture.authorize(await signIn.page())
        #expect(process.manager.isLoading)
        #expect(await fixture.deliver(address))
        await signIn.task.value
        #expect(process.manager.currentUser == fixture.provider.user)
        #expect(process.manager.errorMessage == nil)
        #expect(!process.manager.isLoading)
        await fixture.end(process)
    }

    @Test func `a process that was started later completes the sign-in of one that has ended`() async throws {
        let fixture = try await RedirectFixture()
        defer { fixture.folder.remove() }
        let address = try await fixture.begin()
        let next = try await fixture.launch(fixture.provider.otherProcess())
        #expect(await fixture.deliver(address))
        try await RedirectFixture.wait { next.manager.isAuthenticated }
        await fixture.end(next)
    }

    @Test func `without a process that listens, nothing is accepted, and the sign-in stays pending`() async throws {
        let fixture = try await RedirectFixture()
        defer { fixture.folder.remove() }
        let address = try await fixture.begin()
        #expect(await !fixture.deliver(address))
        let process = try await fixture.launch()
        await fixture.end(process)
        #expect(await !fixture.deliver(address))
        #expect(try await fixture.isPending)
        try await fixture.provider.session.completeSignIn(redirectedTo: address)
    }

    @Test(arguments: [
        "com.example.other:/callback?STATE&code=c", "https://com.example.recipe/callback?STATE&code=c",
        "com.example.recipe:/other?STATE&code=c", "com.example.recipe://evil/callback?STATE&code=c",
        "com.example.recipe:/callback", "com.example.recipe:/callback?code=c",
        "com.example.recipe:/callback?code=c&state=", "com.example.recipe:/callback?code=c&state=forged",
        "com.example.recipe:/callback#STATE&code=c", "com.example.recipe:/callback?STATE&code=ä",
        "com.example.recipe:/callback?STATE&code=c\n",
    ])
    func `an address that is not the response changes and shows nothing`(text: String) async throws {
        let fixture = try await RedirectFixture()
        defer { fixture.folder.remove() }
        let address = try await fixture.begin()
        let state = try #require(address.split(whereSeparator: { "?&".contains($0) }).first { $0.hasPrefix("state=") })
        let before = try await fixture.provider.stored(.pendingSignIn)
        let process = try await fixture.launch()
        #expect(await !fixture.deliver(text.replacing("STATE", with: state)))
        #expect(try await fixture.provider.stored(.pendingSignIn) == before)
        #expect(process.manager.errorMessage == nil)
        #expect(!process.manager.isLoading)
        #expect(await fixture.deliver(address))
        try await RedirectFixture.wait { process.manager.isAuthenticated }
        await fixture.end(process)
    }

    @Test func `an address with a parameter twice ends the sign-in and signs nobody in`() async throws {
        let fixture = try await RedirectFixture()
        defer { fixture.folder.remove() }
        let address = try await fixture.begin()
        let process = try await fixture.launch()
        // Only the provider's response has the state, so it is the response, and a broken one.
        #expect(await fixture.deliver(address + "&code=other"))
        try await RedirectFixture.wait { process.manager.errorMessage != nil }
        #expect(!process.manager.isAuthenticated)
        #expect(try await !fixture.isPending)
        await fixture.end(process)
    }

    @Test func `an overlong address is refused before a process hears of it`() async throws {
        let fixture = try await RedirectFixture()
        defer { fixture.folder.remove() }
        let address = try await fixture.begin()
        let process = try await fixture.launch()
        #expect(await !fixture.deliver(address + "&more=" + String(repeating: "a", count: 16_384)))
        #expect(try await fixture.isPending)
        await fixture.end(process)
    }

    @Test func `the second delivery of an address changes and shows nothing`() async throws {
        let fixture = try await RedirectFixture()
        defer { fixture.folder.remove() }
        let address = try await fixture.begin()
        let process = try await fixture.launch()
        async let one = fixture.deliver(address)
        async let other = fixture.deliver(address)
        #expect(await [one, other].count { $0 } == 1)
        #expect(await !fixture.deliver(address))
        #expect(process.manager.isAuthenticated)
        #expect(process.manager.errorMessage == nil)
        await fixture.end(process)
    }

    @Test func `a process of another profile declines, and the right one is asked next`() async throws {
        let fixture = try await RedirectFixture()
        defer { fixture.folder.remove() }
        let other = try await RedirectFixture()
        defer { other.folder.remove() }
        _ = try await other.begin()
        let pending = try await other.provider.stored(.pendingSignIn)
        var wrong: [RedirectFixture.Process] = []
        for _ in 0..<3 { wrong.append(try await fixture.launch(other.provider.session)) }
        let right = try await fixture.launch()
        #expect(await fixture.deliver(try await fixture.begin()))
        try await RedirectFixture.wait { right.manager.isAuthenticated }
        #expect(try await other.provider.stored(.pendingSignIn) == pending)
        for process in wrong {
            #expect(!process.manager.isAuthenticated)
            #expect(process.manager.errorMessage == nil)
            await fixture.end(process)
        }
        await fixture.end(right)
    }

    @Test func `a cancelled sign-in stays pending until the app discards it`() async throws {
        let fixture = try await RedirectFixture()
        defer { fixture.folder.remove() }
        let process = try await fixture.launch()
        let signIn = fixture.signIn(in: process)
        let page = await signIn.page()
        signIn.task.cancel()
        await signIn.task.value
        #expect(process.manager.errorMessage == nil)
        #expect(!process.manager.isLoading)
        #expect(try await fixture.isPending)
        try await fixture.provider.session.cancelPendingSignIn()
        #expect(try await !fixture.deliver(fixture.authorize(page)))
        #expect(!process.manager.isAuthenticated)
        await fixture.end(process)
    }

    @Test func `a redirect of an earlier sign-in completes that one while the next one begins, which opens no page`()
        async throws
    {
        let fixture = try await RedirectFixture()
        defer { fixture.folder.remove() }
        let address = try await fixture.begin()
        let process = try await fixture.launch()
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let next = fixture.signIn(in: process, after: gate)
        try await RedirectFixture.wait { process.listener.awaited.withLock { $0 != nil } }
        #expect(await fixture.deliver(address))
        try await waitUntil("the earlier sign-in is completed") { process.manager.isAuthenticated }
        // Declined once the redirect before it is handled to its end.
        #expect(await !fixture.deliver(address))
        opening.finish()
        await next.task.value
        #expect(await next.page() == nil)
        #expect(process.manager.currentUser == fixture.provider.user)
        #expect(process.manager.errorMessage == nil)
        #expect(!process.manager.isLoading)
        await fixture.end(process)
    }

    @Test func `a second sign-in begins after the first one, which opens no page`() async throws {
        let fixture = try await RedirectFixture()
        defer { fixture.folder.remove() }
        let process = try await fixture.launch()
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let first = fixture.signIn(in: process, after: gate)
        try await RedirectFixture.wait { process.listener.awaited.withLock { $0 != nil } }
        let replaced = process.listener.awaited.withLock { $0?.end }
        let second = fixture.signIn(in: process)
        try await RedirectFixture.wait { process.listener.awaited.withLock { $0?.end !== replaced } }
        opening.finish()
        try #require(await first.page() == nil)
        let address = try fixture.authorize(await second.page())
        #expect(await fixture.deliver(address))
        await second.task.value
        #expect(process.manager.currentUser == fixture.provider.user)
        #expect(process.manager.errorMessage == nil)
        await fixture.end(process)
    }

    @Test func `a store that can't be read shows nothing if no sign-in waits here, and the sign-in stays pending`()
        async throws
    {
        let fixture = try await RedirectFixture()
        defer { fixture.folder.remove() }
        let address = try await fixture.begin()
        let process = try await fixture.launch()
        fixture.provider.store.faults.lock()
        #expect(await !fixture.deliver(address))
        #expect(process.manager.errorMessage == nil)
        fixture.provider.store.faults.unlock()
        #expect(await fixture.deliver(address))
        try await RedirectFixture.wait { process.manager.isAuthenticated }
        await fixture.end(process)
    }

    @Test func `a store that can't be read shows its error to the user of a sign-in that waits`() async throws {
        let fixture = try await RedirectFixture()
        defer { fixture.folder.remove() }
        let process = try await fixture.launch()
        let signIn = fixture.signIn(in: process)
        let address = try fixture.authorize(await signIn.page())
        fixture.provider.store.faults.lock()
        #expect(await !fixture.deliver(address))
        try await RedirectFixture.wait { process.manager.errorMessage == "The keyring is locked." }
        fixture.provider.store.faults.unlock()
        #expect(await fixture.deliver(address))
        await signIn.task.value
        #expect(process.manager.isAuthenticated)
        await fixture.end(process)
    }
}
#endif
