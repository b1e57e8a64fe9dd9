// SPDX-License-Identifier: Apache-2.0

/// Evaluates a condition repeatedly until it is true, for at most a minute.
///
/// Pauses between two evaluations, which often start a process: other tests need the processors meanwhile.
///
/// - Parameters:
///   - description: A description of the condition, as the end of a sentence.
///   - condition: The condition. An error counts as false.
/// - Throws: ``TestSupportError`` if the condition does not become true; `CancellationError`.
public func waitUntil(_ description: String, _ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now.advanced(by: .seconds(60))
    while ContinuousClock.now < end {
        if let answer = try? await condition(), answer { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    throw TestSupportError("timed out while waiting until \(description)")
}
