// SPDX-License-Identifier: Apache-2.0

extension Duration {
    /// The duration limited to a wait that is possible: at least zero and at most a century.
    ///
    /// A longer duration in nanoseconds would overflow the clock and crash the process.
    package var bounded: Duration { min(max(.zero, self), .seconds(3_155_760_000)) }
}
