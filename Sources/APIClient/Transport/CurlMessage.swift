// SPDX-License-Identifier: Apache-2.0

#if Curl && canImport(CCurl)
import CCurl
import HTTPTypes

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The header fields and the body of a request in C, in memory that is overwritten at the end.
@safe final class CurlMessage {
    /// The fields that libcurl would add.
    ///
    /// The last one makes it wait for `100 Continue` before a large body.
    private static let withoutDefaults = ["Accept:", "Accept-Encoding:", "Content-Type:", "Expect:"]

    /// The first of the fields, each of which leads to the next.
    let fields: UnsafeMutablePointer<curl_slist>
    /// The body, which is never nil: libcurl would read nil as no body.
    let body: UnsafeMutableRawBufferPointer
    let bodySize: Int
    private let text: UnsafeMutableRawBufferPointer

    init(_ request: TransportRequest) {
        let lines = request.head.headerFields
        let names = Self.withoutDefaults
        let bodySize = request.body?.count ?? 0
        // A field is its name, colon, blank, value and NUL.
        let size = lines.reduce(names.reduce(0) { $0 + $1.utf8.count + 1 }) {
            $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 3
        }
        let text = UnsafeMutableRawBufferPointer.allocate(byteCount: size + bodySize + 1, alignment: 1)
        let fields = UnsafeMutablePointer<curl_slist>.allocate(capacity: lines.count + names.count)
        var (end, count) = (0, 0)
        // Safe: no more is written than was counted above, of the same values.
        func write(_ bytes: some Collection<UInt8>) {
            unsafe UnsafeMutableRawBufferPointer(rebasing: text[end...]).copyBytes(from: bytes)
            end += bytes.count
        }
        func add(_ line: () -> Void) {
            let start = unsafe UnsafeMutableRawBufferPointer(rebasing: text[end...]).assumingMemoryBound(to: CChar.self)
            line()
            write(CollectionOfOne(0))
            unsafe (fields + count).initialize(to: curl_slist(data: start.baseAddress, next: nil))
            if count > 0 { unsafe fields[count - 1].next = unsafe fields + count }
            count += 1
        }
        for line in lines {
            add {
                write(line.name.rawName.utf8)
                // libcurl's form of a field with an empty value; a colon alone is none.
                if line.value.isEmpty { return write(";".utf8) }
                write(": ".utf8)
                write(line.value.utf8)
            }
        }
        for name in names { add { write(name.utf8) } }
        unsafe body = unsafe UnsafeMutableRawBufferPointer(rebasing: text[end...])
        if let bytes = request.body { write(bytes) }
        unsafe (self.text, self.fields, self.bodySize) = unsafe (text, fields, bodySize)
    }

    /// Overwrites memory, also if nothing reads it again.
    static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
        if let start = memory.baseAddress { unsafe explicit_bzero(start, memory.count) }
    }

    deinit {
        unsafe Self.wipe(text)
        unsafe text.deallocate()
        unsafe fields.deallocate()
    }
}
#endif
