// SPDX-License-Identifier: Apache-2.0

#if !canImport(Security)
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The name by which this program's files are found.
enum ProgramName {
    /// The process's name, which is that of the executable.
    static var own: String { ProcessInfo.processInfo.processName }
}
#endif
