// SPDX-License-Identifier: Apache-2.0

import Observation

/// A value of a screen of its own, such as the page that it shows.
@Observable
final class State<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}
