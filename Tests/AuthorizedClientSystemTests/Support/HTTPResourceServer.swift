// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestSupport

/// A server that speaks HTTP/1.1 on the loopback interface, and answers as a test says.
final class HTTPResourceServer: Sendable {
    typealias Handler = @Sendable (ReceivedCall) -> ServerReply

    private let server: ScriptedServer
    private let record: CallRecord

    init(_ handler: @escaping Handler) throws {
        let record = CallRecord()
        self.record = record
        server = try ScriptedServer { exchange in
            let call = ReceivedCall(
                authorization: exchange.request.values("Authorization"),
                proofs: exchange.request.values("DPoP"),
                path: exchange.request.target,
                body: try exchange.body()
            )
            record.append(call)
            switch handler(call) {
            case .accepted: try exchange.respond()
            case .refused(let status, let challenge, let nonce):
                let fields = [challenge.map { "WWW-Authenticate: \($0)" }, nonce.map { "DPoP-Nonce: \($0)" }]
                try exchange.respond(status, fields.compactMap(\.self), body: Array("refused".utf8))
            case .redirected(let status, let address): try exchange.respond(status, ["Location: \(address)"])
            case .lost: try exchange.hangUp()
            case .none: try exchange.waitForEnd()
            }
        }
    }

    /// The address, such as `http://127.0.0.1:4000`.
    var address: String { "http://\(server.authority)" }
    /// The calls so far, in the order of their arrival.
    var calls: [ReceivedCall] { record.calls }
}

/// The calls that a server has received.
private final class CallRecord: Sendable {
    private let content = Mutex<[ReceivedCall]>([])

    var calls: [ReceivedCall] { content.withLock { $0 } }

    func append(_ call: ReceivedCall) { content.withLock { $0.append(call) } }
}
