import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Synchronization
import Testing

/// The refresh tokens that a backend is told of at sign-outs, also of those that happen beside everything else.
final class ToldTokens: Sendable {
    private let tokens = Mutex<Set<String>>([])

    /// Answers the sign-outs of a backend from now on.
    init(_ backend: Backend) {
        backend.on(Backend.logout) { [weak self] request in
            if let token = try request.members["refreshToken"]?.string {
                self?.tokens.withLock { _ = $0.insert(token) }
            }
            return TransportResponse(head: HTTPResponse(status: .noContent))
        }
    }

    /// Waits until it was told of so many, and looks which these are.
    func expect(_ expected: Set<String>) async {
        while tokens.withLock({ $0.count }) < expected.count { await Task.yield() }
        #expect(tokens.withLock { $0 } == expected)
    }
}
