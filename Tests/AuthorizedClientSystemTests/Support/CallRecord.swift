// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The calls that a server has received.
final class CallRecord: Sendable {
    private let content = Mutex<[ReceivedCall]>([])

    var calls: [ReceivedCall] { content.withLock { $0 } }

    func append(_ call: ReceivedCall) { content.withLock { $0.append(call) } }
}
