// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The length of the tests: short by default, long on request.
enum TestLength {
    /// Whether `SALLYPORT_LONG=1` requests the long variants.
    static var isLong: Bool { ProcessInfo.processInfo.environment["SALLYPORT_LONG"] == "1" }

    /// The seed of the random choices: `SALLYPORT_SEED`, or a random one.
    static var seed: UInt64 {
        ProcessInfo.processInfo.environment["SALLYPORT_SEED"].flatMap(UInt64.init) ?? .random(in: 0...999_999)
    }
}
