// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Foundation
import Glibc
import Testing
import TestSupport

@testable import SecureStore

/// The errors of the file system, which name what is in the way.
@Suite struct SystemErrorTests {
    private static let stranger: uid_t = 65_534

    private func with(_ body: (String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try body(folder.url.path)
    }

    private func detail(_ work: () throws -> Void) throws -> String? {
        (#expect(throws: SecureStoreError.self) { try work() })?.detail
    }

    @Test(
        arguments: [
            (EROFS, SecureStoreError.Code.denied, "FOLDER is on a read-only file system"),
            (EACCES, .denied, "no permission for FOLDER"), (ENOLCK, .failed, "the file system of FOLDER has no flock"),
            (EOPNOTSUPP, .failed, "the file system of FOLDER has no flock"), (EIO, .failed, "FOLDER, flock, errno 5"),
            (ENOSPC, .full, "FOLDER, flock, errno 28"),
        ]
    )
    func `an error names the nearest folder that exists`(
        number: Int32,
        code: SecureStoreError.Code,
        expected: String
    ) throws {
        try with { folder in
            let error = SystemError.error(number, in: "flock", at: folder + "/state/sallyport/lock")
            #expect(error.code == code)
            #expect(error.detail == expected.replacing("FOLDER", with: folder))
        }
    }

    @Test func `a folder of another user is named with its owner, also if a new one would be in it`() throws {
        try with { folder in
            let foreign = folder + "/state"
            unsafe mkdir(foreign, 0o755)
            guard unsafe chown(foreign, Self.stranger, Self.stranger) == 0 else {
                try Test.cancel("only root can give folders away")
            }
            let sentence = "\(foreign) belongs to the user with the ID \(Self.stranger)"
            #expect(try detail { _ = try PrivateFolder(foreign) } == sentence)
            #expect(SystemError.error(EACCES, in: "mkdir", at: foreign + "/sallyport/locks").detail == sentence)
            unsafe chown(foreign, 0, 0)
            let (file, name) = (foreign + "/file", "the user with the ID \(Self.stranger)")
            try AtomicFile(file).replace(with: [1])
            unsafe chown(file, Self.stranger, Self.stranger)
            #expect(try detail { _ = try AtomicFile(file).read(atMost: 1) } == "\(file) belongs to \(name)")
        }
    }

    @Test func `a link, a file in place of a folder, and a folder that is open to others are named`() throws {
        try with { folder in
            let (link, file, open) = (folder + "/link", folder + "/file", folder + "/open")
            unsafe symlink(folder, link)
            try AtomicFile(file).replace(with: [1])
            unsafe mkdir(open, 0o700)
            unsafe chmod(open, 0o755)
            #expect(try detail { _ = try PrivateFolder(link) } == "\(link) is a link")
            #expect(try detail { _ = try PrivateFolder(file) } == "\(file) is not a folder")
            #expect(try detail { _ = try PrivateFolder(file + "/below") } == "\(file) is not a folder")
            #expect(try detail { _ = try PrivateFolder(open) } == "\(open) is open to others")
        }
    }
}
#endif
