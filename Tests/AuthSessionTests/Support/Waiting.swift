// SPDX-License-Identifier: Apache-2.0

/// Waits until its task is cancelled.
func waitForCancellation() async throws {
    for await _ in AsyncStream<Never>.makeStream().stream {}
    try Task.checkCancellation()
}

/// Gives concurrent work time to run, before a test expects that nothing has happened.
func settle() async {
    for _ in 0..<1_000 { await Task.yield() }
}
