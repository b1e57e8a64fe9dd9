// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Logging
import ResourceServer

/// A request context without a connection.
struct TestContext: AccessTokenContext {
    struct Source: RequestContextSource {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    }

    var coreContext: CoreRequestContextStorage
    var accessToken: VerifiedAccessToken?

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
    }
}
