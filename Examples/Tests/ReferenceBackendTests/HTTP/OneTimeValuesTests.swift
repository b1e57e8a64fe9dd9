// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ReferenceBackend

@Suite("Values that can be taken once")
struct OneTimeValuesTests {
    private let clock = TestClock()

    private func values(capacity: Int = 10) -> OneTimeValues<Int> {
        OneTimeValues(lifetime: .seconds(60), capacity: capacity) { [clock] in clock.now }
    }

    @Test func `a value can be taken once, by its key`() {
        let values = values()
        let (one, two) = (values.key(for: 1), values.key(for: 2))
        #expect(one.utf8.count == 43)
        #expect(values.take("other") == nil)
        #expect(values.take(two) == 2)
        #expect(values.take(two) == nil)
        #expect(values.take(one) == 1)
    }

    @Test func `a value that doesn't match stays until one takes it that does`() {
        let values = values()
        let key = values.key(for: 1)
        let mismatch = values.take(key, if: { $0 == 2 })
        #expect(mismatch == nil)
        let match = values.take(key, if: { $0 == 1 })
        #expect(match == 1)
        #expect(values.take(key) == nil)
    }

    @Test func `an expired value can't be taken`() {
        let values = values()
        let key = values.key(for: 1)
        clock.advance(by: .seconds(60))
        let match = values.take(key, if: { $0 == 1 })
        #expect(match == nil)
        #expect(values.take(key) == nil)
    }

    @Test func `a new value replaces the oldest if there are too many`() {
        let values = values(capacity: 3)
        let keys = (0..<5).map { values.key(for: $0) }
        #expect(keys.map { values.take($0) } == [nil, nil, 2, 3, 4])
    }

    @Test func `taken and expired values make room`() {
        let values = values(capacity: 2)
        let first = values.key(for: 0)
        #expect(values.take(first) == 0)
        let second = values.key(for: 1)
        clock.advance(by: .seconds(30))
        let third = values.key(for: 2)
        #expect(values.take(second) == 1)
        clock.advance(by: .seconds(31))
        let fourth = values.key(for: 3)
        #expect(values.take(third) == 2)
        #expect(values.take(fourth) == 3)
    }
}
