extension ResponseBody {
    /// All of it, or its beginning.
    ///
    /// - Parameter limit: Reading ends once as many bytes are there; the last chunk may go over it.
    /// - Returns: The bytes.
    /// - Throws: As the body.
    func collected(upTo limit: Int = .max) async throws -> [UInt8] {
        var all: [UInt8] = []
        for try await chunk in self {
            // A body in one piece is not copied.
            if all.isEmpty { all = chunk } else { all += chunk }
            if all.count >= limit { break }
        }
        return all
    }
}
