// SPDX-License-Identifier: Apache-2.0

import Synchronization

@testable import OpenIDConnect

/// The hashes of the keys that were tried.
///
/// Not the keys: they are enums, which keep bits of their own in their references, so that the leak sanitizer, which
/// looks for plain addresses, takes what a set of them holds for lost.
private let tried = Mutex<Set<Int>>([])

/// Passes the fuzzer's input to the oracle; a complaint crashes the program.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let complaint =
        KeySetOracle.complaint(about: bytes)
        ?? KeySetOracle.complaintAboutUse(of: bytes) { key in tried.withLock { $0.insert(key.hashValue).inserted } }
    if let complaint { fatalError(complaint) }
    return 0
}
