// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
import Foundation

/// The name by which this program's files are found.
enum ProgramName {
    /// The bundle identifier; the process's name if there is no bundle.
    static var own: String { Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }
}
#endif
