import Testing

@testable import APIClient

@Suite(.timeLimit(.minutes(5)))
struct AsyncChannelTests {
    private struct Fault: Error {}

    @Test func `values are taken in their order, then the end`() async throws {
        let channel = AsyncChannel<Int>()
        let sender = Task {
            for number in 0..<1_000 { try await channel.send(number) }
            channel.finish()
        }
        var taken: [Int] = []
        while let number = try await channel.next() { taken.append(number) }
        #expect(taken == Array(0..<1_000))
        #expect(try await channel.next() == nil)
        try await sender.value
    }

    @Test func `what was sent before an error is taken first`() async throws {
        let channel = AsyncChannel<Int>()
        channel.push(1)
        channel.finish(throwing: Fault())
        #expect(try await channel.next() == 1)
        await #expect(throws: Fault.self) { try await channel.next() }
    }

    @Test func `whoever takes beside somebody who waits is turned away, and nobody waits for ever`() async throws {
        let channel = AsyncChannel<Int>()
        let takers = (0..<2).map { _ in Task { try await channel.next() } }
        // Of two concurrent takers, one is turned away, or arrives late enough to wait after the other.
        var turnedAway = 0
        for _ in 0..<2 { channel.push(1) }
        for taker in takers {
            switch await taker.result {
            case .success(let value): #expect(value == 1)
            case .failure: turnedAway += 1
            }
        }
        #expect(turnedAway <= 1)
    }

    @Test func `an end that loses values is no good end`() async throws {
        let channel = AsyncChannel<Int>()
        channel.push(1)
        channel.finish()
        channel.finish(throwing: Fault(), dropping: true)
        await #expect(throws: Fault.self) { try await channel.next() }
    }

    @Test func `an end after the end changes nothing`() async throws {
        let channel = AsyncChannel<Int>()
        channel.finish()
        channel.finish(throwing: Fault(), dropping: true)
        #expect(try await channel.next() == nil)
    }

    @Test func `a sender waits until its value is taken`() async throws {
        let channel = AsyncChannel<Int>()
        let sender = Task { try await channel.send(1) }
        #expect(try await channel.next() == 1)
        try await sender.value
    }

    @Test func `a cancelled taker ends it for the sender`() async throws {
        let channel = AsyncChannel<Int>()
        let taker = Task { try await channel.next() }
        taker.cancel()
        await #expect(throws: CancellationError.self) { try await taker.value }
        await #expect(throws: CancellationError.self) { try await channel.send(1) }
    }

    @Test func `a cancelled sender ends it for the taker`() async throws {
        let channel = AsyncChannel<Int>()
        let sender = Task { try await channel.send(1) }
        sender.cancel()
        await #expect(throws: CancellationError.self) { try await sender.value }
        await #expect(throws: CancellationError.self) { try await channel.next() }
    }

    @Test func `senders and takers that are cancelled at any time come to an end`() async {
        for number in 0..<500 {
            let channel = AsyncChannel<Int>()
            let sender = Task { for value in 0..<10 { try await channel.send(value) } }
            let taker = Task { while try await channel.next() != nil {} }
            for _ in 0..<(number % 10) { await Task.yield() }
            if number.isMultiple(of: 2) { sender.cancel() } else { taker.cancel() }
            _ = await sender.result
            channel.finish()
            _ = await taker.result
        }
    }
}
