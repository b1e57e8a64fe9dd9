// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Glibc
import Synchronization

/// A search of this process's own memory for bytes that should be gone.
enum ProcessMemory {
    struct Unreadable: Error {}

    /// The lock that allows one search at a time: the window of another search would contain the bytes it has just
    /// read.
    private static let search = Mutex(())

    /// Returns the number of places in this process's writable memory that contain the bytes, the given one excluded.
    ///
    /// Reads through `/proc`, so that a region that another thread frees meanwhile causes no crash.
    static func occurrences(of needle: UnsafeMutableBufferPointer<UInt8>) throws -> Int {
        try search.withLock { _ in unsafe try count(needle) }
    }

    private static func count(_ needle: UnsafeMutableBufferPointer<UInt8>) throws -> Int {
        let memory = unsafe open("/proc/self/mem", O_RDONLY)
        let size = 1 << 20
        // The window has its own mapping, which is excluded, so that the search doesn't find its own copies.
        let window = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard memory >= 0, let window = unsafe window, unsafe window != MAP_FAILED else { throw Unreadable() }
        defer {
            close(memory)
            unsafe munmap(window, size)
        }
        let own = UInt(bitPattern: window)..<UInt(bitPattern: window) + UInt(size)
        var found: Set<UInt> = []
        // The kernel may have merged the window with adjacent memory into one region.
        let regions = try writableRegions().flatMap { region in
            region.overlaps(own)
                ? [region.clamped(to: 0..<own.lowerBound), region.clamped(to: own.upperBound..<UInt.max)] : [region]
        }
        for region in regions where !region.isEmpty {
            // Windows overlap by more than the needle's length, so that an occurrence across a boundary is found too.
            for address in stride(from: region.lowerBound, to: region.upperBound, by: size / 2) {
                let count = unsafe pread(memory, window, min(size, Int(region.upperBound - address)), Int(address))
                guard count > 0 else { continue }
                for offset in unsafe offsets(of: needle, in: UnsafeRawBufferPointer(start: window, count: count)) {
                    found.insert(address + UInt(offset))
                }
            }
        }
        found.remove(UInt(bitPattern: needle.baseAddress))
        return found.count
    }

    private static func offsets(
        of needle: UnsafeMutableBufferPointer<UInt8>,
        in window: UnsafeRawBufferPointer
    ) -> [Int] {
        var offsets: [Int] = []
        guard let base = window.baseAddress, let start = needle.baseAddress, let first = unsafe needle.first else {
            return offsets
        }
        var from = 0
        while from + needle.count <= window.count,
            let hit = unsafe memchr(base + from, Int32(first), window.count - needle.count - from + 1)
        {
            if unsafe memcmp(hit, start, needle.count) == 0 { offsets.append(unsafe UnsafeRawPointer(hit) - base) }
            from = unsafe UnsafeRawPointer(hit) - base + 1
        }
        return offsets
    }

    private static func writableRegions() throws -> [Range<UInt>] {
        let maps = try String(contentsOf: URL(filePath: "/proc/self/maps"), encoding: .utf8)
        return maps.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            let bounds = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            // Regions larger than a gigabyte belong to a sanitizer.
            guard words[1].hasPrefix("rw"), bounds.count == 2, bounds[1] - bounds[0] < 1 << 30 else { return nil }
            return bounds[0]..<bounds[1]
        }
    }
}
#endif
