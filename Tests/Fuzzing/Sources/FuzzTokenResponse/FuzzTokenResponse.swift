// SPDX-License-Identifier: Apache-2.0

/// Passes the fuzzer's input to the oracle; a complaint crashes the program.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let complaint = TokenResponseOracle.complaint(about: bytes) { fatalError(complaint) }
    return 0
}
