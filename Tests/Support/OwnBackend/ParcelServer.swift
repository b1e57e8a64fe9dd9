// SPDX-License-Identifier: Apache-2.0

import APIClient
import HTTPTypes
import Synchronization

/// The server of the custom login, as a transport.
final class ParcelServer: Transport {
    private struct State {
        var good: Set<String> = []
        var issued = 0
        var calls: [String] = []
    }

    private let state = Mutex(State())

    /// The calls so far, each with its token.
    var calls: [String] { state.withLock { $0.calls } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let body = String(decoding: request.body ?? [], as: UTF8.self)
        let shown = request.head.headerFields[.authorization]?.split(separator: " ").last.map(String.init)
        return state.withLock { state in
            let path = request.head.path ?? ""
            state.calls.append([request.head.method.rawValue, path, shown].compactMap(\.self).joined(separator: " "))
            let isGood = shown.map(state.good.contains) ?? false
            switch path {
            case "/login" where body.contains(#""pin":"2512""#), "/renew" where isGood:
                state.issued += 1
                let token = "opaque-\(state.issued)"
                state.good.insert(token)
                return Self.answer(.ok, #"{"token": "\#(token)", "seconds": 3600}"#)
            case "/login":
                let said = body.filter { $0 != "\"" }
                return Self.answer(.unauthorized, #"{"error": {"code": "no", "message": "Refused: \#(said)"}}"#)
            // The first token can only be renewed.
            case "/parcels" where isGood && shown != "opaque-1":
                return Self.answer(.ok, #"["A parcel"]"#)
            case "/logout" where isGood:
                state.good.removeAll()
                return Self.answer(.noContent)
            default:
                return Self.answer(.unauthorized)
            }
        }
    }

    private static func answer(_ status: HTTPResponse.Status, _ json: String = "") -> TransportResponse {
        let fields: HTTPFields = [.contentType: "application/json"]
        return TransportResponse(head: HTTPResponse(status: status, headerFields: fields), body: Array(json.utf8))
    }
}
