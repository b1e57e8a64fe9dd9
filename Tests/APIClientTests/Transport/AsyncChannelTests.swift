// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import APIClient

@Suite(.timeLimit(.minutes(5)))
struct AsyncChannelTests {
    private struct TestError: Error {}

    @Test func `values are received in order and before the end`() async throws {
        let channel = AsyncChannel<Int>()
        let sender = Task {
            for number in 0..<1_000 { try await channel.send(number) }
            channel.finish()
        }
        var received: [Int] = []
        while let number = try await channel.next() { received.append(number) }
        #expect(received == Array(0..<1_000))
        #expect(try await channel.next() == nil)
        try await sender.value
    }

    @Test func `values that were sent before an error are received first`() async throws {
        let channel = AsyncChannel<Int>()
        channel.push(1)
        channel.finish(throwing: TestError())
        #expect(try await channel.next() == 1)
        await #expect(throws: TestError.self) { try await channel.next() }
    }

    @Test func `a second concurrent receiver gets an error, and no receiver waits forever`() async throws {
        let channel = AsyncChannel<Int>()
        let receivers = (0..<2).map { _ in Task { try await channel.next() } }
        // Of two concurrent receivers, one is rejected, or arrives late enough to wait after the other.
        var rejected = 0
        for _ in 0..<2 { channel.push(1) }
        for receiver in receivers {
            switch await receiver.result {
            case .success(let value): #expect(value == 1)
            case .failure: rejected += 1
            }
        }
        #expect(rejected <= 1)
    }

    @Test func `an error that drops unread values replaces a successful end`() async throws {
        let channel = AsyncChannel<Int>()
        channel.push(1)
        channel.finish()
        channel.finish(throwing: TestError(), dropping: true)
        await #expect(throws: TestError.self) { try await channel.next() }
    }

    @Test func `a second end changes nothing if all values were received`() async throws {
        let channel = AsyncChannel<Int>()
        channel.finish()
        channel.finish(throwing: TestError(), dropping: true)
        #expect(try await channel.next() == nil)
    }

    @Test func `a sender waits until its value is received`() async throws {
        let channel = AsyncChannel<Int>()
        let sender = Task { try await channel.send(1) }
        #expect(try await channel.next() == 1)
        try await sender.value
    }

    @Test func `a cancelled receiver ends the channel for the sender`() async throws {
        let channel = AsyncChannel<Int>()
        let receiver = Task { try await channel.next() }
        receiver.cancel()
        await #expect(throws: CancellationError.self) { try await receiver.value }
        await #expect(throws: CancellationError.self) { try await channel.send(1) }
    }

    @Test func `a cancelled sender ends the channel for the receiver`() async throws {
        let channel = AsyncChannel<Int>()
        let sender = Task { try await channel.send(1) }
        sender.cancel()
        await #expect(throws: CancellationError.self) { try await sender.value }
        await #expect(throws: CancellationError.self) { try await channel.next() }
    }

    @Test func `senders and receivers end if they are cancelled at any time`() async {
        for number in 0..<500 {
            let channel = AsyncChannel<Int>()
            let sender = Task { for value in 0..<10 { try await channel.send(value) } }
            let receiver = Task { while try await channel.next() != nil {} }
            for _ in 0..<(number % 10) { await Task.yield() }
            if number.isMultiple(of: 2) { sender.cancel() } else { receiver.cancel() }
            _ = await sender.result
            channel.finish()
            _ = await receiver.result
        }
    }
}
