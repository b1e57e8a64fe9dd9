// SPDX-License-Identifier: Apache-2.0

/// A reason why a schedule failed or could not run.
struct SimulationError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
