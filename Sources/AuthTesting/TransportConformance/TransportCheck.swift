public import APIClient

/// One promise that every transport keeps, and how to check it.
public struct TransportCheck: Sendable, CustomStringConvertible {
    /// The promise, as a sentence.
    public let name: String

    private let body: @Sendable (any Transport) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (any Transport) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// The name.
    public var description: String { name }

    /// Checks a transport, against a server of the check's own on the loopback interface.
    ///
    /// A transport that never returns is not found out here: give the test a time limit.
    ///
    /// - Parameter transport: The transport, which must let plain HTTP through.
    /// - Throws: ``ConformanceFailure``; whatever the transport throws where it should not.
    public func run(_ transport: any Transport) async throws {
        try await body(transport)
    }
}
