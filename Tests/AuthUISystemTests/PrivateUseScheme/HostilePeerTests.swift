// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Glibc
import TestSupport
import Testing

@testable import AuthUI

/// Other processes at the sockets of the app's processes.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct HostilePeerTests {
    private static let address = "com.example.recipe:/callback?code=c&state=s"

    private func scheme() throws -> PrivateUseScheme { try #require(PrivateUseScheme("com.example.recipe")) }

    /// Connects to the only socket in a folder.
    private func connect(in folder: TemporaryFolder) throws -> LocalSocket {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.count == 1)
        return try LocalSocket(connectedTo: try #require(names.first), in: folder.url.path)
    }

    /// Accepts the first redirect that a listener receives.
    private func accepting(_ listener: RedirectListener) -> Task<String?, Never> {
        Task {
            for await redirect in listener.redirects where redirect.accept() { return redirect.address }
            return nil
        }
    }

    @Test func `processes that connect and stay silent don't keep an address away`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let listener = try RedirectListener.start(scheme(), in: folder.url.path)
        let accepted = accepting(listener)
        var silent: [LocalSocket] = []
        // More than may be open; those that are closed for it are found by the next connection.
        while silent.count < 40 {
            if let socket = try? connect(in: folder) { silent.append(socket) } else { await Task.yield() }
        }
        try await waitUntil("the address is accepted") {
            await (try scheme()).deliver(Self.address, in: folder.url.path)
        }
        #expect(await accepted.value == Self.address)
        listener.close()
        silent.removeAll()
    }

    @Test(arguments: [
        Array("GET / HTTP/1.1\r\n\r\n".utf8), [0x0A], [0xFF, 0xFE, 0x0A], Array("com.example.other:/x\n".utf8),
        Array(repeating: 0x61, count: 100_000), Array("com.example.recipe:/callback?\u{0}\n".utf8),
    ])
    func `bytes that are no address of the app are declined without reaching it`(bytes: [UInt8]) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let listener = try RedirectListener.start(scheme(), in: folder.url.path)
        let accepted = accepting(listener)
        let socket = try connect(in: folder)
        _ = socket.send(bytes)
        let deadline = ContinuousClock.now + .seconds(60)
        let refusal = ReceivedRedirect.refusal
        #expect(socket.receive(endingWith: refusal, atMost: 0, until: deadline) == [])
        #expect(await (try scheme()).deliver(Self.address, in: folder.url.path))
        #expect(await accepted.value == Self.address)
        listener.close()
    }

    @Test func `an address that comes in pieces is received whole`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let listener = try RedirectListener.start(scheme(), in: folder.url.path)
        let accepted = accepting(listener)
        let socket = try connect(in: folder)
        for byte in Self.address.utf8 { #expect(socket.send([byte])) }
        #expect(socket.send([0x0A]))
        #expect(await accepted.value == Self.address)
        listener.close()
    }

    @Test func `a process that has stopped does not keep the address from the next one`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let mute = try UnixSocket.mute(at: folder.url.appendingPathComponent("0.socket"))
        let listener = try RedirectListener.start(scheme(), in: folder.url.path)
        let accepted = accepting(listener)
        #expect(await (try scheme()).deliver(Self.address, in: folder.url.path))
        #expect(await accepted.value == Self.address)
        listener.close()
        withExtendedLifetime(mute) {}
    }

    @Test func `a redirect is not accepted once the process that delivers it has given up`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let listener = try RedirectListener.start(scheme(), in: folder.url.path)
        var redirects = listener.redirects.makeAsyncIterator()
        let socket = try connect(in: folder)
        #expect(socket.send(Array(Self.address.utf8) + [0x0A]))
        let redirect = try #require(await redirects.next())
        // Not by closing it: a process that another test is just starting may share it.
        socket.end()
        #expect(!redirect.accept())
        listener.close()
    }

    @Test func `a redirect that the app drops is declined at once`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let listener = try RedirectListener.start(scheme(), in: folder.url.path)
        // Not on the main actor, which waits for the reply below.
        let dropping = Task.detached { for await _ in listener.redirects {} }
        let socket = try connect(in: folder)
        #expect(socket.send(Array(Self.address.utf8) + [0x0A]))
        let deadline = ContinuousClock.now + .seconds(60)
        #expect(socket.receive(endingWith: ReceivedRedirect.refusal, atMost: 0, until: deadline) == [])
        listener.close()
        await dropping.value
    }

    @Test func `a socket that a killed process has left is removed`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        do {
            _ = try LocalSocket(listening: "left.socket", in: folder.url.path, backlog: 1)
        }
        #expect(await !(try scheme()).deliver(Self.address, in: folder.url.path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func `sockets that killed processes have left keep no address from the process that runs`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let listener = try RedirectListener.start(scheme(), in: folder.url.path)
        let accepted = accepting(listener)
        for number in 0..<200 {
            _ = try LocalSocket(listening: "\(number).socket", in: folder.url.path, backlog: 1)
        }
        try #require(await (try scheme()).deliver(Self.address, in: folder.url.path))
        #expect(await accepted.value == Self.address)
        listener.close()
    }

    @Test func `a start removes the sockets that killed processes have left, but none that may still start`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var sockets: [String: LocalSocket] = [:]
        for name in ["left.socket", "left.new", "fresh.new", "live.socket", "live.new"] {
            sockets[name] = try LocalSocket(listening: name, in: folder.url.path, backlog: 1)
        }
        for name in ["left.socket", "left.new", "fresh.new"] { sockets[name] = nil }
        for name in ["left.new", "live.new"] {
            #expect(unsafe utimes("\(folder.url.path)/\(name)", [timeval(), timeval()]) == 0)
        }
        let listener = try RedirectListener.start(scheme(), in: folder.url.path)
        listener.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(names == ["fresh.new", "live.new", "live.socket"])
        withExtendedLifetime(sockets) {}
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to connect as another user"))
    func `another user's process is not heard`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        // Only the check of the user is left: everyone may reach the socket.
        #expect(unsafe chmod(folder.url.path, 0o777) == 0)
        let listener = try RedirectListener.start(scheme(), in: folder.url.path)
        let received = accepting(listener)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).first)
        #expect(unsafe chmod("\(folder.url.path)/\(name)", 0o777) == 0)
        await #expect(processExitsWith: .success) { [folder = folder.url.path as String, name = name as String] in
            #expect(setuid(54_321) == 0)
            let socket = try LocalSocket(connectedTo: name, in: folder)
            _ = socket.send(Array("com.example.recipe:/callback?code=evil&state=s\n".utf8))
            let deadline = ContinuousClock.now + .seconds(60)
            #expect(socket.receive(endingWith: 0x06, atMost: 0, until: deadline) == nil)
            #expect(ContinuousClock.now < deadline)
        }
        #expect(await (try scheme()).deliver(Self.address, in: folder.url.path))
        #expect(await received.value == Self.address)
        listener.close()
    }

    @Test func `the folder may have a path longer than a socket's address`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let long = try folder.folder(String(repeating: "a", count: 200))
        let listener = try RedirectListener.start(scheme(), in: long.path)
        let accepted = accepting(listener)
        #expect(await (try scheme()).deliver(Self.address, in: long.path))
        #expect(await accepted.value == Self.address)
        listener.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: long.path).isEmpty)
    }

    @Test func `a printed redirect shows no address`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let redirect = ReceivedRedirect(Self.address, try LocalSocket())
        var dumped = ""
        dump(redirect, to: &dumped)
        #expect(!"\(redirect)\(String(reflecting: redirect))\(dumped)".contains("code=c"))
    }
}
#endif
