// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file of test vectors in the test bundle.
enum Vectors {
    static func read<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
        let url = Bundle.module.bundleURL.appending(path: "Vectors/\(name).json")
        return try JSONDecoder().decode(type, from: Data(contentsOf: url))
    }
}
