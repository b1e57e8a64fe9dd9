#if os(Linux)
import Foundation
import Glibc

/// This process's own memory, searched for bytes that should be gone.
enum ProcessMemory {
    struct Unreadable: Error {}

    /// How often bytes lie in what this process may write to, but for the place they are given in.
    ///
    /// Read through `/proc`, so that a region which another thread gives back meanwhile is no crash.
    static func occurrences(of needle: UnsafeMutableBufferPointer<UInt8>) throws -> Int {
        let memory = unsafe open("/proc/self/mem", O_RDONLY)
        let size = 1 << 20
        // Memory of its own, which is left out: what is read of the needle is not to be found again.
        let window = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard memory >= 0, let window = unsafe window, unsafe window != MAP_FAILED else { throw Unreadable() }
        defer {
            close(memory)
            unsafe munmap(window, size)
        }
        let own = UInt(bitPattern: window)
        var found: Set<UInt> = []
        for region in try writableRegions() where !region.contains(own) {
            // Windows overlap by more than the needle's length, so that what lies across a border is found too.
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
            // What is larger than a gigabyte is a sanitizer's own.
            guard words[1].hasPrefix("rw"), bounds.count == 2, bounds[1] - bounds[0] < 1 << 30 else { return nil }
            return bounds[0]..<bounds[1]
        }
    }
}
#endif
