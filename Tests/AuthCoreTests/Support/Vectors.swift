// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A loader of the vector files beside the tests.
enum Vectors {
    static func load<Vector: Decodable>(_ name: String) throws -> [Vector] {
        let url = try #require(Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Vectors"))
        let vectors = try JSONDecoder().decode([Vector].self, from: Data(contentsOf: url))
        #expect(!vectors.isEmpty)
        return vectors
    }
}
