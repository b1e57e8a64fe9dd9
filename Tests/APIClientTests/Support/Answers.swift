import APIClient
import Synchronization
import Testing

/// Answers in a row: one request more than there are is a failure.
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
