// SPDX-License-Identifier: Apache-2.0

/// Whether the program reads a byte of freed memory: true if the first argument is "freed".
let isFreed = CommandLine.arguments.dropFirst().first == "freed"
let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
unsafe byte.initialize(to: 7)
if isFreed { unsafe byte.deallocate() }
print(unsafe byte.pointee)
