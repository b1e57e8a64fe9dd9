// SPDX-License-Identifier: Apache-2.0

import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin

extension BootTime {
    /// The current moment; nil if the system doesn't name its start.
    static var now: BootTime? {
        // The nanoseconds of `mach_continuous_time`.
        systemBootID.map { BootTime(bootID: $0, seconds: Double(clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)) / 1e9) }
    }

    private static let systemBootID: UUID? = {
        // A UUID as text, and a zero.
        var bytes = [UInt8](repeating: 0, count: 64)
        var count = bytes.count
        guard unsafe sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0) == 0 else { return nil }
        return UUID(uuidString: String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
    }()
}
#else
#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

extension BootTime {
    /// The current moment; nil if the system doesn't name its start, as in some sandboxes.
    static var now: BootTime? {
        var time = timespec()
        guard let systemBootID, unsafe clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { return nil }
        return BootTime(bootID: systemBootID, seconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }

    private static let systemBootID: UUID? = {
        let file = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        // A UUID as text.
        var bytes = [UInt8](repeating: 0, count: 36)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
        return count == bytes.count ? UUID(uuidString: String(decoding: bytes, as: UTF8.self)) : nil
    }()
}
#endif
