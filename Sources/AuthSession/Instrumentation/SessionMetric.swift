// SPDX-License-Identifier: Apache-2.0

/// A metric of a session with the values of its labels, all from closed sets.
///
/// Every metric has the same labels each time. swift-prometheus requires that.
enum SessionMetric: Hashable, Sendable {
    case operation(MeasuredOperation, MeasuredOutcome, error: MeasuredOutcome)
    case lockWait(MeasuredOutcome)
    case storeCall(StoreCall, MeasuredOutcome)
    case refreshJoined
    case refreshReplayed
    case sessionEnded(MeasuredOutcome)

    var name: String {
        switch self {
        case .operation(let operation, _, _): operation.rawValue + ".duration"
        case .lockWait: "sallyport.session.lock.wait.duration"
        case .storeCall: "sallyport.session.store.duration"
        case .refreshJoined: "sallyport.session.refresh.joined"
        case .refreshReplayed: "sallyport.session.refresh.replayed"
        case .sessionEnded: "sallyport.session.ended"
        }
    }

    var labels: [(String, String)] {
        switch self {
        case .operation(_, let outcome, let error): [("outcome", outcome.name), ("error.type", error.name)]
        case .lockWait(let outcome): [("outcome", outcome.name)]
        case .storeCall(let call, let outcome): [("operation", call.rawValue), ("outcome", outcome.name)]
        case .refreshJoined, .refreshReplayed: []
        case .sessionEnded(let reason): [("reason", reason.name)]
        }
    }
}

/// A call of a store, by the name of its method.
enum StoreCall: String, Hashable, Sendable, CaseIterable {
    case item
    case setItem
    case removeItem
    case replaceItem
    case unlock
    case probe
}
