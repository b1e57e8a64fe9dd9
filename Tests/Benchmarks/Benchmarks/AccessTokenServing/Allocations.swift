import CountedAllocations

/// What the process has asked the C library for.
enum Allocations {
    static var soFar: Int { counted_allocations() }
}
