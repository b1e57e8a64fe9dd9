// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import AuthCore
import AuthTesting
import Testing

@testable import SecureStore

/// Several items of one older install as one value.
@Suite struct LegacyItemGroupTests {
    private typealias Fixture = LegacyGroupFixture
    private static let none: [String?] = [nil, nil, nil]

    // MARK: The value

    @Test func `a group is one value that decodes to the values of its items`() async throws {
        try await Fixture.with { fixture in
            try await fixture.write("r", "a b\n", "")
            let value = try #require(try await fixture.group().item())
            let values = try LegacyItemGroup.Values(value)
            #expect(values.main == SecretBytes("r"))
            #expect(values.companions == [.access: SecretBytes("a b\n"), .expiry: SecretBytes("")])
            #expect(try await fixture.group().item() == value)
        }
    }

    @Test(arguments: ["r", "", "sallyport-groups", "a\0b"]) func `a main item alone is the value, byte for byte`(
        text: String
    ) async throws {
        try await Fixture.with { fixture in
            try await fixture.write(text, nil, nil)
            #expect(try await fixture.group().item() == SecretBytes(text))
            #expect(try LegacyItemGroup.Values(SecretBytes(text)).main == SecretBytes(text))
        }
    }

    @Test func `a main item that looks like a group is not read as one`() async throws {
        try await Fixture.with { fixture in
            try await fixture.write("r", "a", nil)
            let forged = try #require(try await fixture.group().item())
            try await fixture.main.setItem(forged, forKey: .token)
            try await fixture.access.removeItem(forKey: .token)
            let values = try LegacyItemGroup.Values(try #require(try await fixture.group().item()))
            #expect(values.main == forged)
            #expect(values.companions == [:])
        }
    }

    @Test(arguments: [
        "sallyport-group x", "sallyport-group 1", "sallyport-group 1\nx cg", "sallyport-group 1\n c!",
        "sallyport-group 1\n cg\na YQ\na YQ", "sallyport-group 1\n cg\nb YQ\na YQ", "sallyport-group 1\n cg\n",
    ])
    func `a value that no group has is damaged`(text: String) {
        #expect(throws: SecureStoreError(.damaged)) { try LegacyItemGroup.Values(SecretBytes(text)) }
    }

    @Test func `a group without its main item has no value`() async throws {
        try await Fixture.with { fixture in
            try await fixture.write(nil, "a", "1")
            #expect(try await fixture.group().item() == nil)
            #expect(try await fixture.store().itemAfterSearch() == nil)
            #expect(try await fixture.found == [nil, "a", "1"])
        }
    }

    @Test func `a damaged companion is left out, and one that can't be read now is an error`() async throws {
        try await Fixture.with { fixture in
            try await fixture.write("r", "a", "1")
            fixture.access.failAll(with: SecureStoreError(.damaged))
            let values = try LegacyItemGroup.Values(try #require(try await fixture.group().item()))
            #expect(values.companions == [.expiry: SecretBytes("1")])
            fixture.access.failAll(with: SecureStoreError(.locked))
            await #expect(throws: SecureStoreError(.locked)) { try await fixture.group().item() }
            await #expect(throws: SecureStoreError(.locked)) { try await fixture.store().itemAfterSearch() }
            #expect(try await fixture.names == [])
        }
    }

    // MARK: Migration

    @Test func `a migration removes all items, and a later one writes nothing`() async throws {
        try await Fixture.with { fixture in
            try await fixture.write("r", "a", "1")
            let value = try await fixture.group().item()
            #expect(try await fixture.store().itemAfterSearch() == value)
            #expect(try await fixture.found == Self.none)
            #expect(try await fixture.names == ["token"])
        }
    }

    @Test func `a migration killed at any step keeps the whole old group or the whole new item`() async throws {
        let steps = try await KillSwitch.atEachStep { kill in
            try await Fixture.with { fixture in
                try await fixture.write("r", "a", "1")
                let value = try #require(try await fixture.group().item())
                try await killed { _ = try await fixture.store(kill: kill).itemAfterSearch() }
                let moved = try await fixture.target.item(forKey: .token)
                if moved == nil { #expect(try await fixture.found == ["r", "a", "1"]) }
                #expect(moved == nil || moved == value)
                #expect(try await fixture.store().itemAfterSearch() == value)
                #expect(try await fixture.found == Self.none)
                #expect(try await fixture.names == ["token"])
            }
        }
        #expect(steps > 20)
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
            let value = try await fixture.group().item()
            let faulty = [fixture.main, fixture.access, fixture.expiry][which]
            faulty.failWrites(with: SecureStoreError(.busy))
            #expect(try await fixture.store().itemAfterSearch() == value)
            #expect(try await fixture.found[which] != nil)
            // The session is refreshed meanwhile.
            try await fixture.target.setItem(SecretBytes("new"), forKey: .token)
            faulty.failWrites(with: nil)
            #expect(try await fixture.store().itemAfterSearch() == SecretBytes("new"))
            #expect(try await fixture.found == Self.none)
            #expect(try await fixture.names == ["token"])
        }
    }

    @Test func `a group that an old app has written since the copy stays whole`() async throws {
        try await Fixture.with { fixture in
            try await fixture.write("r", "a", "1")
            fixture.main.failWrites(with: SecureStoreError(.busy))
            let value = try await fixture.store().itemAfterSearch()
            fixture.main.failWrites(with: nil)
            try await fixture.write("r2", "a2", "2")
            #expect(try await fixture.store().itemAfterSearch() == value)
            #expect(try await fixture.found == ["r2", "a2", "2"])
            #expect(try await !fixture.group().removeItem(ifEquals: try #require(value)))
            #expect(try await fixture.found == ["r2", "a2", "2"])
        }
    }

    @Test func `companions that an old app is writing anew are not removed without a main item`() async throws {
        try await Fixture.with { fixture in
            try await fixture.target.setItem(SecretBytes("new"), forKey: .token)
            try await fixture.write(nil, "a", "1")
            #expect(try await fixture.store().itemAfterSearch() == SecretBytes("new"))
            #expect(try await fixture.found == [nil, "a", "1"])
        }
    }

    // MARK: Signing out

    @Test(arguments: [["r", "a", "1"], [nil, "a", "1"], [nil, nil, "1"], ["r", nil, nil]] as [[String?]])
    func `a removal removes whatever is left of a group`(left: [String?]) async throws {
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
