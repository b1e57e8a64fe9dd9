import Foundation

/// Standard output, unbuffered: who waits for a word gets it at once.
enum Output {
    static func say(_ word: String) {
        FileHandle.standardOutput.write(Data((word + "\n").utf8))
    }
}
