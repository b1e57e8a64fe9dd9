// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import Testing

@testable import AuthSession

/// One change of a session's state: the steps before it, the change, and the published states.
struct StateChange: Sendable, CustomTestStringConvertible {
    /// One step of a test on its session.
    typealias Step = @Sendable (Fixture) async throws -> Void

    let testDescription: String
    private let contract: SessionBackend.Contract
    private let arrange: Step
    private let act: Step
    private let expected: @Sendable (Fixture) -> [SessionState]

    /// Creates a row of a test's table.
    ///
    /// - Parameters:
    ///   - description: The description of the change.
    ///   - contract: The contract of the backend.
    ///   - arrange: The step that leads to the first state.
    ///   - act: The step that changes the state.
    ///   - expected: The published states, beginning with the first state.
    init(
        _ description: String,
        _ contract: SessionBackend.Contract = .tokenPair,
        from arrange: @escaping Step,
        by act: @escaping Step,
        publishes expected: @escaping @Sendable (Fixture) -> [SessionState]
    ) {
        testDescription = description
        self.contract = contract
        self.arrange = arrange
        self.act = act
        self.expected = expected
    }

    /// Performs the change and compares the published states.
    func check(_ location: SourceLocation = #_sourceLocation) async throws {
        let fixture = try Fixture(contract)
        try await arrange(fixture)
        let published = PublishedStates(fixture.session)
        try await act(fixture)
        let states = await published.untilNow()
        #expect(states == expected(fixture), sourceLocation: location)
        #expect(states.last == fixture.session.state, sourceLocation: location)
    }
}
