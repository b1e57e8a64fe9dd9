// SPDX-License-Identifier: Apache-2.0

/// Passes the fuzzer's input to the oracle; a complaint crashes the program.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let complaint = CallbackOracle.complaint(about: bytes) ?? RequestHeadOracle.complaint(about: bytes)
    if let complaint { fatalError(complaint) }
    return 0
}
