// SPDX-License-Identifier: Apache-2.0

import UmuveBrands

/// A tab of the main screen.
enum ShellTab: Sendable, Hashable {
    case home
    case activity
    case jobs
    case earnings
    case settings

    /// Returns the tabs of an app, first to last.
    static func tabs(of brand: Brand) -> [ShellTab] {
        brand.role == "driver" ? [.jobs, .earnings, .settings] : [.home, .activity, .settings]
    }

    var title: String {
        switch self {
        case .home: "Home"
        case .activity: "Activity"
        case .jobs: "Jobs"
        case .earnings: "Earnings"
        case .settings: "Settings"
        }
    }
}
