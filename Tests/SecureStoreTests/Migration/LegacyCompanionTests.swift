// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import AuthCore
import AuthTesting
import Testing

@testable import SecureStore

/// The items beside an older item: read before it is removed, and removed with it.
@Suite struct LegacyCompanionTests {
    private typealias Fixture = LegacyGroupFixture
    private static let none: [String?] = [nil, nil, nil]
    private let joined = SecretBytes("r/a/1")

    @Test func `a place without its main item has no value`() async throws {
        try await Fixture.with { fixture in
            try await fixture.write(nil, "a", "1")
            #expect(try await fixture.store().itemAfterSearch() == nil)
            #expect(try await fixture.found == [nil, "a", "1"])
        }
    }

    @Test func `a companion that can't be read now is an error, and nothing is moved`() async throws {
        try await Fixture.with { fixture in
            try await fixture.write("r", "a", "1")
            fixture.access.failAll(with: SecureStoreError(.locked))
            await #expect(throws: SecureStoreError(.locked)) { try await fixture.store().itemAfterSearch() }
            #expect(try await fixture.names == [])
            fixture.access.failAll(with: nil)
            #expect(try await fixture.store().itemAfterSearch() == joined)
        }
    }

    // MARK: Migration

    @Test func `a migration removes all items, and a later one writes nothing`() async throws {
        try await Fixture.with { fixture in
            try await fixture.write("r", "a", "1")
            #expect(try await fixture.store().itemAfterSearch() == joined)
            #expect(try await fixture.found == Self.none)
            #expect(try await fixture.names == ["token"])
            let writes = fixture.target.writeCount
            #expect(try await fixture.store().itemAfterSearch() == joined)
            #expect(fixture.target.writeCount == writes)
        }
    }

    @Test func `companions of a main item that changes meanwhile are read again`() async throws {
        try await Fixture.with { fixture in
            try await fixture.write("r", "a", "1")
            let main = fixture.main
            // The old app refreshes while the first companion is read.
            fixture.access.delayCalls {
                guard try await main.item(forKey: .token) == SecretBytes("r") else { return }
                try await main.setItem(SecretBytes("r2"), forKey: .token)
            }
            #expect(try await fixture.store().itemAfterSearch() == SecretBytes("r2/a/1"))
        }
    }

    @Test func `a migration killed at any step keeps the whole old place or the whole new item`() async throws {
        let steps = try await KillSwitch.atEachStep { kill in
            try await Fixture.with { fixture in
                try await fixture.write("r", "a", "1")
                try await killed { _ = try await fixture.store(kill: kill).itemAfterSearch() }
                let moved = try await fixture.target.item(forKey: .token)
                if moved == nil { #expect(try await fixture.found == ["r", "a", "1"]) }
                #expect(moved == nil || moved == joined)
                #expect(try await fixture.store().itemAfterSearch() == joined)
                #expect(try await fixture.found == Self.none)
                #expect(try await fixture.names == ["token"])
            }
        }
        #expect(steps > 15)
    }

    @Test func `a migration killed at any step and signed out leaves nothing, and nothing comes back`() async throws {
        _ = try await KillSwitch.atEachStep { kill in
            try await Fixture.with { fixture in
                try await fixture.write("r", "a", "1")
                try await killed { _ = try await fixture.store(kill: kill).itemAfterSearch() }
                try await fixture.store().removeItem(forKey: .token)
                #expect(try await fixture.store().itemAfterSearch() == nil)
                #expect(try await fixture.found == Self.none)
                #expect(try await fixture.names == [])
            }
        }
    }

    @Test func `a removal killed at any step ends with nothing once it is repeated`() async throws {
        _ = try await KillSwitch.atEachStep { kill in
            try await Fixture.with { fixture in
                try await fixture.target.setItem(SecretBytes("new"), forKey: .token)
                try await fixture.write("r", "a", "1")
                try await killed { try await fixture.store(kill: kill).removeItem(forKey: .token) }
                // Whatever was reached, the older items replace nothing.
                let present = try await fixture.target.item(forKey: .token)
                #expect(try await fixture.store().itemAfterSearch() == present)
                try await fixture.store().removeItem(forKey: .token)
                #expect(try await fixture.found == Self.none)
                #expect(try await fixture.names == [])
            }
        }
    }

    @Test(arguments: 0..<3) func `a companion that can't be removed now is removed by a later process`(
        which: Int
    ) async throws {
        try await Fixture.with { fixture in
            try await fixture.write("r", "a", "1")
            let faulty = [fixture.main, fixture.access, fixture.expiry][which]
            faulty.failWrites(with: SecureStoreError(.busy))
            #expect(try await fixture.store().itemAfterSearch() == joined)
            #expect(try await fixture.found[which] != nil)
            // The session is refreshed meanwhile.
            try await fixture.target.setItem(SecretBytes("new"), forKey: .token)
            faulty.failWrites(with: nil)
            #expect(try await fixture.store().itemAfterSearch() == SecretBytes("new"))
            #expect(try await fixture.found == Self.none)
            #expect(try await fixture.names == ["token"])
        }
    }

    // MARK: Signing out

    @Test(arguments: [["r", "a", "1"], [nil, "a", "1"], [nil, nil, "1"], ["r", nil, nil]] as [[String?]])
    func `a removal removes whatever is left of a place`(left: [String?]) async throws {
        try await Fixture.with { fixture in
            try await fixture.target.setItem(SecretBytes("new"), forKey: .token)
            try await fixture.write(left[0], left[1], left[2])
            try await fixture.store().removeItem(forKey: .token)
            #expect(try await fixture.found == Self.none)
            #expect(try await fixture.names == [])
        }
    }

    @Test(arguments: 0..<3) func `an item that can't be removed at the sign-out is removed later and never read`(
        which: Int
    ) async throws {
        try await Fixture.with { fixture in
            try await fixture.target.setItem(SecretBytes("new"), forKey: .token)
            try await fixture.write("r", "a", "1")
            let faulty = [fixture.main, fixture.access, fixture.expiry][which]
            faulty.lock()
            try await fixture.store().removeItem(forKey: .token)
            #expect(try await fixture.store().itemAfterSearch() == nil)
            faulty.unlock()
            #expect(try await fixture.store().itemAfterSearch() == nil)
            #expect(try await fixture.found == Self.none)
            #expect(try await fixture.names == [])
        }
    }
}
#endif
