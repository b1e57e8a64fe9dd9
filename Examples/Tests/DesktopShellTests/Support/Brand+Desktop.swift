// SPDX-License-Identifier: Apache-2.0

import UmuveBrands

extension Brand {
    /// The name of the app's program.
    var executable: String {
        switch self {
        case .driver: "umuve-pro"
        case .business: "umuve-business"
        default: "umuve"
        }
    }

    /// The greeting on the main screen.
    var greeting: String { "Hello, \(DesktopStage.userName)." }
}
