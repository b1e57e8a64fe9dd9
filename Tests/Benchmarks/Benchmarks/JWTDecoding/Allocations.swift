// SPDX-License-Identifier: Apache-2.0

import CountedAllocations

/// The memory allocations of the process through the C library.
enum Allocations {
    static var soFar: Int { counted_allocations() }
}
