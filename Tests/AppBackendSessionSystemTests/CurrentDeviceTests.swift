// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import AppBackendSession
import Foundation
import Glibc
import TestSupport
import Testing

/// The description of this device.
///
/// Each test runs in a process of its own, since the environment belongs to the whole process.
@Suite struct CurrentDeviceTests {
    @Test func `the description names no host, user or home folder`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            unsafe setenv("XDG_CONFIG_HOME", path, 1)
            let device = DeviceInfo.current(appVersion: "2.3", app: "com.example.app")
            #expect(device.platform == "linux" && device.model == "computer" && device.appVersion == "2.3")
            #expect((1...100).contains(device.osVersion.unicodeScalars.count))
            #expect(UUID(uuidString: device.installationID) != nil)
            var host = [CChar](repeating: 0, count: 256)
            unsafe gethostname(&host, host.count - 1)
            let name = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let text = "\(device.osVersion) \(device.model) \(device.platform)"
            #expect(name.isEmpty || !text.contains(name))
            #expect(!text.contains(NSUserName()))
            let members = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(device)) as? [String: Any]
            #expect(
                members?.keys.sorted() == ["appVersion", "installationID", "model", "osVersion", "platform"]
            )
        }
    }

    @Test func `the ID is kept in the app's folder, and another app has another one`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            unsafe setenv("XDG_CONFIG_HOME", path, 1)
            let id = DeviceInfo.current(appVersion: "1", app: "com.example.app").installationID
            let kept = try String(contentsOfFile: "\(path)/com.example.app/installation-id", encoding: .utf8)
            #expect(kept == id + "\n")
            #expect(DeviceInfo.current(appVersion: "2", app: "com.example.app").installationID == id)
            #expect(DeviceInfo.current(appVersion: "1", app: "com.example.pro").installationID != id)
            try FileManager.default.removeItem(atPath: "\(path)/com.example.pro")
            try "6F9619FF-8B86-D011-B42D-00C04FC964FF\n".write(
                toFile: "\(path)/com.example.app/installation-id",
                atomically: true,
                encoding: .utf8
            )
            // The file decides, not this process's memory.
            let changed = DeviceInfo.current(appVersion: "1", app: "com.example.app").installationID
            #expect(changed == "6F9619FF-8B86-D011-B42D-00C04FC964FF")
        }
    }

    @Test func `without a name, the folder is named for the program`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            unsafe setenv("XDG_CONFIG_HOME", path, 1)
            let id = DeviceInfo.current(appVersion: "1").installationID
            let folders = try FileManager.default.contentsOfDirectory(atPath: path)
            #expect(folders.count == 1)
            let kept = try String(contentsOfFile: "\(path)/\(folders[0])/installation-id", encoding: .utf8)
            #expect(kept == id + "\n")
        }
    }

    @Test(arguments: [("../../etc", "-..-etc"), ("..", nil), ("", nil), ("a b/ä", "a-b--")] as [(String, String?)])
    func `a name can't lead to another folder`(app: String, name: String?) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        await #expect(processExitsWith: .success) {
            [path = folder.url.path as String, app = app as String, name = name as String?] in
            unsafe setenv("XDG_CONFIG_HOME", "\(path)/config", 1)
            let id = DeviceInfo.current(appVersion: "1", app: app).installationID
            #expect(DeviceInfo.current(appVersion: "1", app: app).installationID == id)
            let folders = try FileManager.default.contentsOfDirectory(atPath: path)
            #expect(folders == (name == nil ? [] : ["config"]))
            guard let name else { return }
            let names = try FileManager.default.contentsOfDirectory(atPath: "\(path)/config")
            #expect(names == [name])
        }
    }

    @Test func `a folder that can't be used gives an ID for this process, kept as soon as the folder can be`()
        async throws
    {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            unsafe setenv("XDG_CONFIG_HOME", path, 1)
            // A file in place of the folder refuses root too.
            try Data().write(to: URL(filePath: "\(path)/com.example.app"))
            let id = DeviceInfo.current(appVersion: "1", app: "com.example.app").installationID
            #expect(UUID(uuidString: id) != nil)
            #expect(DeviceInfo.current(appVersion: "1", app: "com.example.app").installationID == id)
            try FileManager.default.removeItem(atPath: "\(path)/com.example.app")
            #expect(DeviceInfo.current(appVersion: "1", app: "com.example.app").installationID == id)
            let kept = try String(contentsOfFile: "\(path)/com.example.app/installation-id", encoding: .utf8)
            #expect(kept == id + "\n")
        }
    }
}
#endif
