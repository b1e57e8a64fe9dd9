#if !os(Linux)
extension LockHolder {
    /// Returns nil: these systems have no call that says which process holds a file's lock.
    ///
    /// - Parameter path: The lock's file.
    /// - Returns: Nil.
    static func of(_ path: String) -> LockHolder? { nil }
}
#endif
