// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// A search for secrets of which only the SHA-256 is known.
enum Preimages {
    /// Returns the number of byte sequences of a given length and alphabet whose hash the test recognises.
    static func count(in bytes: Data, length: Int, alphabet: String, isMatch: (SHA256.Digest) -> Bool) -> Int {
        let allowed = Set(alphabet.utf8)
        var found = 0
        for run in bytes.split(whereSeparator: { !allowed.contains($0) }) where run.count >= length {
            for start in run.startIndex...(run.endIndex - length) {
                if isMatch(SHA256.hash(data: run[start..<(start + length)])) { found += 1 }
            }
        }
        return found
    }
}
