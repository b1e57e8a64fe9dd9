// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The system's client with a delegate that does nothing but collect the response of each task.
final class DelegatedURLSession: NSObject, URLSessionDataDelegate {
    private struct Loading {
        let continuation: CheckedContinuation<(Data, URLResponse), any Error>
        var data = Data()
        var response: URLResponse?
    }

    private let loading = Mutex<[Int: Loading]>([:])
    private let session = Mutex<URLSession?>(nil)

    init(_ configuration: URLSessionConfiguration) {
        super.init()
        let made = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        session.withLock { $0 = made }
    }

    func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        guard let session = session.withLock({ $0 }) else { throw CancellationError() }
        return try await withCheckedThrowingContinuation { continuation in
            let task = session.dataTask(with: request)
            loading.withLock { $0[task.taskIdentifier] = Loading(continuation: continuation) }
            task.resume()
        }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        loading.withLock { $0[dataTask.taskIdentifier]?.response = response }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        loading.withLock { $0[dataTask.taskIdentifier]?.data.append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let ended = loading.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        if let response = ended.response, error == nil {
            ended.continuation.resume(returning: (ended.data, response))
        } else {
            ended.continuation.resume(throwing: error ?? URLError(.badServerResponse))
        }
    }
}
