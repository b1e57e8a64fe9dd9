/// Evaluates a condition repeatedly until it is true, for at most a minute.
///
/// Each evaluation asks another process, so that this loop doesn't spin.
///
/// - Parameters:
///   - what: A description of the condition, as the end of a sentence.
///   - isSo: The condition. An error counts as false.
/// - Throws: ``TestSupportError`` if the condition does not become true.
public func waitUntil(_ what: String, _ isSo: () async throws -> Bool) async throws {
    let end = ContinuousClock.now.advanced(by: .seconds(60))
    while ContinuousClock.now < end {
        if let answer = try? await isSo(), answer { return }
    }
    throw TestSupportError("waited in vain until \(what)")
}
