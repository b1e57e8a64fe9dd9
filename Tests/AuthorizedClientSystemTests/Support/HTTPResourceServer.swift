// SPDX-License-Identifier: Apache-2.0

import AuthTesting

/// A server that speaks HTTP/1.1 on the loopback interface.
final class HTTPResourceServer: ResourceServer {
    private let server: ScriptedServer
    private let record: CallRecord

    init(_ handler: @escaping ResourceServer.Handler) throws {
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

    var address: String { "http://\(server.authority)" }
    var calls: [ReceivedCall] { record.calls }
}
