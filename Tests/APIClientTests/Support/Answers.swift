import APIClient
import Synchronization
import Testing

/// A series of responses that fails a test if it makes one request too many.
final class Answers: Sendable {
    private let left: Mutex<[Result<TransportResponse, TransportError>]>

    init(_ answers: [TransportResponse]) {
        left = Mutex(answers.map { .success($0) })
    }

    init(_ answers: [Result<TransportResponse, TransportError>]) {
        left = Mutex(answers)
    }

    func next() throws -> TransportResponse {
        let answer = left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        return try #require(answer, "a request too many").get()
    }
}
