// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import ReferenceBackend

/// The refreshes that the server received, in its own order.
struct ServerLog: Sendable {
    let calls: [RefreshCall]

    init(_ collected: Collected<RefreshCall>) {
        calls = collected.all
    }

    func count(_ outcome: RefreshCall.Outcome) -> Int {
        calls.count { $0.outcome == outcome }
    }

    /// Returns the refreshes of one account, a line each, to find out why a session ended.
    func history(of accountID: String) -> String {
        calls.filter { $0.accountID == accountID }
            .map { "\($0.date.timeIntervalSince1970) \($0.place) of \($0.current ?? -1): \($0.outcome.rawValue)" }
            .joined(separator: "\n")
    }

    /// The time from the first refresh to the last, in seconds.
    var span: Double {
        guard let first = calls.first, let last = calls.last else { return 0 }
        return last.date.timeIntervalSince(first.date)
    }

    /// The counts of all outcomes, for readers.
    var summary: String {
        let counts = RefreshCall.Outcome.allCases.map { "\($0.rawValue) \(count($0))" }
        return "refreshes asked for \(calls.count): " + counts.joined(separator: ", ")
    }
}
