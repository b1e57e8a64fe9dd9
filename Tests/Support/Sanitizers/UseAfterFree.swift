/// Reads a byte of memory that was given back where the first argument is "freed", else of memory that was not.
let isFreed = CommandLine.arguments.dropFirst().first == "freed"
let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
unsafe byte.initialize(to: 7)
if isFreed { unsafe byte.deallocate() }
print(unsafe byte.pointee)
