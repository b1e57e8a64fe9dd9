// SPDX-License-Identifier: Apache-2.0

#if !os(Linux)
extension LockHolder {
    /// Returns nil: these systems have no call that returns the process that holds a file's lock.
    ///
    /// - Parameter path: The lock's file.
    /// - Returns: Nil.
    static func of(_ path: String) -> LockHolder? { nil }
}
#endif
