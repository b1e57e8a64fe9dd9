// SPDX-License-Identifier: Apache-2.0

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
            #expect(plan.map(\.locationName) == [.older, .oldest])
            #expect(plan.map(\.action) == actions)
            #expect(!"\(plan)".contains("old\""))
            // Planning changes nothing.
            let left = try? await fixture.found
            #expect(left == found)
            #expect(fixture.target.writeCount == writes)
        }
    }

    @Test func `a plan does nothing if there are no items`() async throws {
        try await expect([.nothing, .nothing]) { _ in }
    }

    @Test func `a plan migrates the first value, removes its copy, and leaves other values`() async throws {
        try await expect([.nothing, .migrate]) { try await $0.oldest.setItem(old, forKey: .token) }
        try await expect([.migrate, .removeLeftover]) { fixture in
            for store in [fixture.older, fixture.oldest] { try await store.setItem(old, forKey: .token) }
        }
        try await expect([.migrate, .leave]) { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            try await fixture.oldest.setItem(other, forKey: .token)
        }
    }

    @Test func `a plan removes a value that the store already has and leaves other values`() async throws {
        try await expect([.removeLeftover, .leave]) { fixture in
            try await fixture.target.setItem(old, forKey: .token)
            try await fixture.older.setItem(old, forKey: .token)
            try await fixture.oldest.setItem(other, forKey: .token)
        }
    }

    @Test func `a plan reports an unavailable location's error and leaves the locations after it`() async throws {
        try await expect([.unavailable(SecureStoreError(.locked)), .leave]) { fixture in
            try await fixture.oldest.setItem(old, forKey: .token)
            fixture.older.lock()
        }
    }

    @Test func `a plan removes a value that a sign-out could not remove`() async throws {
        try await expect([.removeLeftover, .nothing]) { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            fixture.older.lock()
            try await fixture.store().removeItem(forKey: .token)
            fixture.older.unlock()
        }
    }

    @Test func `a read carries out the plan`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            try await fixture.oldest.setItem(other, forKey: .token)
            _ = try await fixture.store().itemAfterSearch()
            #expect(try await fixture.store().plan().map(\.action) == [.nothing, .leave])
        }
    }

    @Test func `the description of a step is one line without the value`() {
        let step = MigrationStep(locationName: .older, action: .unavailable(SecureStoreError(.locked)))
        #expect(step.description == "older-service: The keyring is locked.")
        #expect("\(MigrationStep(locationName: .oldest, action: .migrate))" == "settings: would be moved to the store")
    }

    @Test func `planning throws locked if the target is locked`() async throws {
        try await MigrationFixture.with { fixture in
            fixture.target.lock()
            await #expect(throws: SecureStoreError(.locked)) { try await fixture.store().plan() }
        }
    }
}
#endif
