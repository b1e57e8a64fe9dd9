#if canImport(Glibc)
import AuthCore
import AuthTesting
import Testing

@testable import SecureStore

@Suite struct MigrationPlanTests {
    private let old = SecretBytes("old")
    private let other = SecretBytes("another")

    private func expect(
        _ actions: [MigrationStep.Action],
        _ prepare: (MigrationFixture) async throws -> Void
    ) async throws {
        try await MigrationFixture.with { fixture in
            try await prepare(fixture)
            let (found, writes) = (try? await fixture.found, fixture.target.writeCount)
            let plan = try await fixture.store().plan()
            #expect(plan.map(\.location) == [.older, .oldest])
            #expect(plan.map(\.action) == actions)
            #expect(!"\(plan)".contains("old\""))
            // Planning changes nothing.
            let left = try? await fixture.found
            #expect(left == found)
            #expect(fixture.target.writeCount == writes)
        }
    }

    @Test func `nothing is to be done where nothing is`() async throws {
        try await expect([.nothing, .nothing]) { _ in }
    }

    @Test func `the first value is to be moved, its copy removed, and another one left`() async throws {
        try await expect([.nothing, .migrate]) { try await $0.oldest.setItem(old, forKey: .token) }
        try await expect([.migrate, .removeLeftover]) { fixture in
            for store in [fixture.older, fixture.oldest] { try await store.setItem(old, forKey: .token) }
        }
        try await expect([.migrate, .leave]) { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            try await fixture.oldest.setItem(other, forKey: .token)
        }
    }

    @Test func `what the store has already is a leftover, and other values stay`() async throws {
        try await expect([.removeLeftover, .leave]) { fixture in
            try await fixture.target.setItem(old, forKey: .token)
            try await fixture.older.setItem(old, forKey: .token)
            try await fixture.oldest.setItem(other, forKey: .token)
        }
    }

    @Test func `a place that can't say is named with its error, and what is behind it waits`() async throws {
        try await expect([.unavailable(SecureStoreError(.locked)), .leave]) { fixture in
            try await fixture.oldest.setItem(old, forKey: .token)
            fixture.older.lock()
        }
    }

    @Test func `what a sign-out could not remove is a leftover`() async throws {
        try await expect([.removeLeftover, .nothing]) { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            fixture.older.lock()
            try await fixture.store().removeItem(forKey: .token)
            fixture.older.unlock()
        }
    }

    @Test func `a read does what the plan says`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            try await fixture.oldest.setItem(other, forKey: .token)
            _ = try await fixture.store().item(forKey: .token)
            #expect(try await fixture.store().plan().map(\.action) == [.nothing, .leave])
        }
    }

    @Test func `a step reads as a line without a value`() {
        let step = MigrationStep(location: .older, action: .unavailable(SecureStoreError(.locked)))
        #expect(step.description == "older-service: The keyring is locked.")
        #expect("\(MigrationStep(location: .oldest, action: .migrate))" == "settings: would be moved to the store")
    }

    @Test func `a target that is locked can't be planned for`() async throws {
        try await MigrationFixture.with { fixture in
            fixture.target.lock()
            await #expect(throws: SecureStoreError(.locked)) { try await fixture.store().plan() }
        }
    }
}
#endif
