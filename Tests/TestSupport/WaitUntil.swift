/// Asks again and again, for a minute at most: for questions that go to another process, so that this does not spin.
///
/// - Parameters:
///   - what: What is waited for, as the end of a sentence.
///   - isSo: The question; an error is a no.
/// - Throws: ``TestSupportError`` where it never came true.
public func waitUntil(_ what: String, _ isSo: () async throws -> Bool) async throws {
    let end = ContinuousClock.now.advanced(by: .seconds(60))
    while ContinuousClock.now < end {
        if let answer = try? await isSo(), answer { return }
    }
    throw TestSupportError("waited in vain until \(what)")
}
