// SPDX-License-Identifier: Apache-2.0

import APIClient
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite struct RequestBodyTests {
    private static func bytes(of body: RequestBody) async throws -> [UInt8] {
        try await body.chunks().reduce(into: []) { $0 += $1 }
    }

    private static func fault(
        of body: RequestBody,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> TransportError? {
        await #expect(throws: TransportError.self, sourceLocation: sourceLocation) { try await bytes(of: body) }
    }

    @Test func `a one-shot body is refused a second time and is never empty`() async throws {
        let body = RequestBody.oneShot(BodyChunks([[1], [2]]))
        #expect(!body.isReplayable)
        #expect(try await Self.bytes(of: body) == [1, 2])
        for copy in [body, body.reportingProgress { _, _ in }] {
            #expect(await Self.fault(of: copy)?.code == .bodyAlreadySent)
        }
    }

    @Test func `a restartable body is complete each time`() async throws {
        let body = RequestBody.restartable { BodyChunks([[1], [2]]) }
        for _ in 0..<3 { #expect(try await Self.bytes(of: body) == [1, 2]) }
        #expect(body.isReplayable)
    }

    @Test func `a file is read again for each request`() async throws {
        let file = try TemporaryFile([1, 2, 3])
        let body = RequestBody.file(file.path)
        #expect(body.isReplayable)
        #expect(try await Self.bytes(of: body) == [1, 2, 3])
        try file.write([4])
        #expect(try await Self.bytes(of: body) == [4])
        try file.write([])
        #expect(try await Self.bytes(of: body) == [])
    }

    @Test func `a large file is read in chunks`() async throws {
        let file = try TemporaryFile([UInt8](repeating: 7, count: 1_000_000))
        let sizes = try await RequestBody.file(file.path).chunks().reduce(into: []) { $0.append($1.count) }
        #expect(sizes.reduce(0, +) == 1_000_000)
        #expect(sizes.count > 5)
    }

    @Test func `a growing file is sent at its first length, and a shrinking file is an error`() async throws {
        let file = try TemporaryFile([UInt8](repeating: 7, count: 300_000))
        let chunks = try await RequestBody.file(file.path).chunks()
        try file.append([8, 9])
        #expect(try await chunks.reduce(0) { $0 + $1.count } == 300_000)
        let more = try await RequestBody.file(file.path).chunks()
        try file.write([7, 7])
        let error = await #expect(throws: (any Error).self) { try await more.reduce(0) { $0 + $1.count } }
        #expect("\(try #require(error))".contains("300002"))
    }

    @Test(arguments: ["/no/such/file", "/", "/dev/null"])
    func `a path without a regular file fails at once`(path: String) async {
        let error = await Self.fault(of: .file(path))
        #expect(error?.code == .bodyFailed)
        #expect(error?.mayHaveReachedServer == false)
        #expect(error?.underlying != nil)
    }

    @Test func `a pipe fails at once and does not block`() async throws {
        let file = try TemporaryFile([])
        #expect(unsafe mkfifo(file.path + ".pipe", 0o600) == 0)
        defer { unsafe unlink(file.path + ".pipe") }
        #expect(await Self.fault(of: .file(file.path + ".pipe"))?.code == .bodyFailed)
    }

    @Test func `neither the body nor its error shows the file's path`() async {
        let body = RequestBody.file("/no/such/secret-1")
        var dumped = "\(body)"
        dump(body, to: &dumped)
        dump(await Self.fault(of: body), to: &dumped)
        #expect(!dumped.contains("secret-"))
    }

    @Test(arguments: [0, 1, 3, 5, 100])
    func `a body of another length than promised is an error`(promised: Int) async {
        let body = RequestBody.restartable(length: promised) { BodyChunks([[1, 2], [3, 4]]) }
        await #expect(throws: (any Error).self) { try await Self.bytes(of: body) }
    }

    @Test func `progress ends with the total and restarts with each request`() async throws {
        let file = try TemporaryFile([UInt8](repeating: 7, count: 300_000))
        let bodies: [RequestBody] = [
            RequestBody.bytes([UInt8](repeating: 7, count: 300_000)), .file(file.path),
            .restartable(length: 300_000) { BodyChunks([[UInt8](repeating: 7, count: 300_000)]) },
        ]
        for body in bodies {
            let reports = Mutex<[Int]>([])
            let reporting = body.reportingProgress { sent, total in
                reports.withLock { $0.append(total == 300_000 ? sent : -1) }
            }
            for _ in 0..<2 {
                reports.withLock { $0 = [] }
                #expect(try await Self.bytes(of: reporting).count == 300_000)
                let seen = reports.withLock { $0 }
                #expect(seen.last == 300_000)
                #expect(seen == seen.sorted())
            }
        }
    }

    @Test func `two progress handlers are both called`() async throws {
        let reports = Mutex<[String]>([])
        let body = RequestBody.restartable { BodyChunks([[1]]) }
            .reportingProgress { sent, total in reports.withLock { $0.append("a \(sent) \(total ?? -1)") } }
            .reportingProgress { sent, total in reports.withLock { $0.append("b \(sent) \(total ?? -1)") } }
        #expect(try await Self.bytes(of: body) == [1])
        #expect(reports.withLock { $0 } == ["a 1 -1", "b 1 -1"])
    }
}
