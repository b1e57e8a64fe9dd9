import Testing

@testable import AuthSession

/// One change of a session's state: how it comes to stand somewhere, what happens then, and what is told of it.
struct StateChange: Sendable, CustomTestStringConvertible {
    /// What happens to a session.
    typealias Step = @Sendable (Fixture) async throws -> Void

    let testDescription: String
    private let contract: SessionBackend.Contract
    private let arrange: Step
    private let act: Step
    private let expected: @Sendable (Fixture) -> [SessionState]

    /// Makes a row.
    ///
    /// - Parameters:
    ///   - description: What it is.
    ///   - contract: What the backend speaks.
    ///   - arrange: Brings the session to where it begins.
    ///   - act: Changes it.
    ///   - expected: What is told, where it began first.
    init(
        _ description: String,
        _ contract: SessionBackend.Contract = .tokenPair,
        from arrange: @escaping Step,
        by act: @escaping Step,
        tells expected: @escaping @Sendable (Fixture) -> [SessionState]
    ) {
        testDescription = description
        self.contract = contract
        self.arrange = arrange
        self.act = act
        self.expected = expected
    }

    /// Lets it happen, and compares what was told.
    func check(_ location: SourceLocation = #_sourceLocation) async throws {
        let fixture = try Fixture(contract)
        try await arrange(fixture)
        let told = ToldStates(fixture.session)
        try await act(fixture)
        let states = await told.untilNow()
        #expect(states == expected(fixture), sourceLocation: location)
        #expect(states.last == fixture.session.state, sourceLocation: location)
    }
}
