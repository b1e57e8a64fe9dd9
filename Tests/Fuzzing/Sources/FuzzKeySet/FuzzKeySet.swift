import Dispatch
import Synchronization

@testable import OpenIDConnect

/// Gives what the fuzzer makes up to the oracle, whose complaint is a crash.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let complaint = KeySetOracle.complaint(about: bytes) ?? Use(of: bytes).complaint { fatalError(complaint) }
    return 0
}

/// What comes of using the keys, which is asynchronous: the fuzzer's own thread waits for it.
private final class Use: Sendable {
    private static let tried = Mutex<Set<JSONWebKey.Material>>([])
    private let found = Mutex<String?>(nil)

    init(of bytes: [UInt8]) {
        let done = DispatchSemaphore(value: 0)
        Task.detached { [self] in
            let complaint = await KeySetOracle.complaintAboutUse(of: bytes) { key in
                Self.tried.withLock { $0.insert(key).inserted }
            }
            found.withLock { $0 = complaint }
            done.signal()
        }
        done.wait()
    }

    var complaint: String? { found.withLock { $0 } }
}
