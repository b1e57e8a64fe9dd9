// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The privacy manifests of the modules, which an App Store build collects.
@Suite struct PrivacyManifestTests {
    /// The functions for which Apple requires a reason, by their category.
    ///
    /// [Describing use of required reason API](https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api).
    private static let functions = [
        "FileTimestamp": [
            "stat", "fstat", "lstat", "fstatat", "getattrlist", "fgetattrlist", "getattrlistat", "getattrlistbulk",
            "attributesOfItem", "creationDate", "modificationDate", "fileModificationDate",
            "contentModificationDateKey", "creationDateKey",
        ],
        "SystemBootTime": ["systemUptime", "mach_absolute_time"],
        "DiskSpace": [
            "statfs", "statvfs", "fstatfs", "fstatvfs", "volumeAvailableCapacityKey", "systemFreeSize", "systemSize",
        ],
        "ActiveKeyboards": ["activeInputModes"],
        "UserDefaults": ["UserDefaults"],
    ]
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources").standardized
    private static let modules = [
        "APIClient", "AuthCore", "AuthSession", "AuthUI", "OpenIDConnect", "OpenIDSession", "SecureStore",
    ]

    /// Returns the code of a module for Apple systems, without its comments.
    private static func code(of module: String) throws -> String {
        let folder = sources.appendingPathComponent(module)
        var code = ""
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            guard !text.hasPrefix("#if os(Linux)"), !text.hasPrefix("#if !canImport(Security)") else { continue }
            let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            code += lines.joined(separator: "\n") + "\n"
        }
        return code
    }

    private static func manifest(of module: String) throws -> [String: Any]? {
        let file = sources.appendingPathComponent("\(module)/PrivacyInfo.xcprivacy")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let content = try unsafe PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
        return try #require(content as? [String: Any])
    }

    @Test(arguments: modules)
    func `a module's manifest names the functions that the module uses, and no others`(module: String) throws {
        let code = try Self.code(of: module)
        try #require(!code.isEmpty)
        var used: Set<String> = []
        for (category, names) in Self.functions {
            let isUsed = try names.contains { try code.contains(Regex("\\b\($0)\\b[(.:{ ]")) }
            if isUsed { used.insert("NSPrivacyAccessedAPICategory\(category)") }
        }
        let manifest = try Self.manifest(of: module)
        let types = manifest?["NSPrivacyAccessedAPITypes"] as? [[String: Any]] ?? []
        #expect(Set(types.compactMap { $0["NSPrivacyAccessedAPIType"] as? String }) == used)
        for type in types {
            let reasons = try #require(type["NSPrivacyAccessedAPITypeReasons"] as? [String])
            #expect(!reasons.isEmpty)
            let form = /[0-9A-F]{4}\.1/
            #expect(reasons.allSatisfy { $0.wholeMatch(of: form) != nil })
        }
        guard let manifest else { return }
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        #expect((manifest["NSPrivacyTrackingDomains"] as? [String])?.isEmpty == true)
        #expect((manifest["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true)
    }

    @Test func `the package includes each manifest`() throws {
        let package = Self.sources.appendingPathComponent("../Package.swift").standardized
        let text = try String(contentsOf: package, encoding: .utf8)
        let list = try #require(text.firstMatch(of: /where \[([^\]]*)\]\.contains\(target\.name\)/)?.1)
        let named = Set(list.split(separator: ",").map { $0.trimmingCharacters(in: [" ", "\""]) })
        #expect(named == Set(try Self.modules.filter { try Self.manifest(of: $0) != nil }))
    }
}
