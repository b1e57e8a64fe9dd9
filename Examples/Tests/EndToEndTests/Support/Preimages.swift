import Crypto
import Foundation

/// Finds a secret that only its SHA-256 is known of, in a pile of bytes.
enum Preimages {
    /// The stretches of so many bytes, all of the alphabet, whose hash the test recognises.
    static func count(in bytes: Data, length: Int, alphabet: String, isIts: (SHA256.Digest) -> Bool) -> Int {
        let allowed = Set(alphabet.utf8)
        var found = 0
        for run in bytes.split(whereSeparator: { !allowed.contains($0) }) where run.count >= length {
            for start in run.startIndex...(run.endIndex - length) {
                if isIts(SHA256.hash(data: run[start..<(start + length)])) { found += 1 }
            }
        }
        return found
    }
}
