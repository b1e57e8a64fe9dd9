// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

@Suite struct PromiseTests {
    private struct TestError: Error {}

    @Test func `every waiter gets the first result, including a later waiter`() async throws {
        let result = Promise<Int>()
        let waiters = (0..<3).map { _ in Task { try await result.value() } }
        #expect(!result.isFinished)
        result.finish(.success(7))
        result.finish(.success(8))
        for waiter in waiters { #expect(try await waiter.value == 7) }
        #expect(try await result.value() == 7)
        #expect(result.isFinished)
        #expect(!result.isAwaited)
    }

    @Test func `a promise can finish with an error`() async {
        let result = Promise<Int>()
        result.finish(.failure(TestError()))
        result.finish(.success(7))
        await #expect(throws: TestError.self) { try await result.value() }
    }

    @Test func `a cancelled waiter does not affect the other waiters`() async throws {
        let result = Promise<Int>()
        let staying = Task { try await result.value() }
        let leaving = Task { try await result.value() }
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        #expect(!result.isFinished)
        result.finish(.success(7))
        #expect(try await staying.value == 7)
    }
}
