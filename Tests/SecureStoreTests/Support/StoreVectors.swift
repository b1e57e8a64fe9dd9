// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The vectors of all that the stores write.
enum StoreVectors {
    static let folder = VectorFolder(in: .module)

    /// Returns the vectors in a subfolder.
    static func all<Vector: Decodable>(_ kind: String, as type: Vector.Type = Vector.self) throws -> [Vector] {
        try folder.names(kind + "/").map { try folder.read($0) }
    }
}
