// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import UmuveBrands

@Suite("The Xcode project of the apps for Apple systems")
struct XcodeProjectTests {
    /// The relevant part of XcodeGen's specification.
    private struct Specification: Decodable {
        struct Package: Decodable {
            let path: String
        }

        struct Dependency: Decodable {
            let package: String
            let product: String
        }

        struct Template: Decodable {
            let sources: [Source]
            let settings: [String: String]
            let dependencies: [Dependency]
        }

        struct Target: Decodable {
            let templates: [String]
            let settings: [String: String]
        }

        struct Source: Decodable {
            let path: String
            let excludes: [String]?
        }

        let packages: [String: Package]
        let targetTemplates: [String: Template]
        let targets: [String: Target]

        init() throws {
            let file = XcodeProjectTests.folder.appending(path: "project.json")
            self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
        }
    }

    /// The entitlements of an app.
    private struct Entitlements: Decodable {
        let signInWithApple: [String]
        let keychainGroups: [String]

        enum CodingKeys: String, CodingKey {
            case signInWithApple = "com.apple.developer.applesignin"
            case keychainGroups = "keychain-access-groups"
        }
    }

    private static let folder = URL(filePath: #filePath).appending(path: "../../../../Apps").standardizedFileURL

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).path())
    }

    @Test(arguments: Brand.all)
    func `an app's target has its folders, its property list, and the brand's identifier`(brand: Brand) throws {
        let specification = try Specification()
        let name = brand.name.filter { !$0.isWhitespace }
        let target = try #require(specification.targets[name])
        #expect(target.settings["PRODUCT_BUNDLE_IDENTIFIER"] == brand.bundleIdentifier)
        for template in try target.templates.map({ try #require(specification.targetTemplates[$0]) }) {
            let settings = try ["INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS"].map { try #require(template.settings[$0]) }
            let excluded = template.sources.flatMap { source in source.excludes?.map { "\(source.path)/\($0)" } ?? [] }
            // Neither is a resource of the app.
            #expect(Set(settings) == Set(excluded))
            for path in settings + template.sources.map(\.path) {
                #expect(Self.exists(path.replacing("${target_name}", with: name)), "\(path)")
            }
        }
    }

    @Test func `there are no other targets, and each product is in a package of this repository`() throws {
        let specification = try Specification()
        #expect(specification.targets.keys.sorted() == Brand.all.map { $0.name.filter { !$0.isWhitespace } }.sorted())
        let dependencies = specification.targetTemplates.values.flatMap(\.dependencies)
        #expect(!dependencies.isEmpty)
        for dependency in dependencies {
            let package = try #require(specification.packages[dependency.package])
            let manifest = Self.folder.appending(path: package.path).appending(path: "Package.swift")
            let text = try String(contentsOf: manifest.standardizedFileURL, encoding: .utf8)
            #expect(text.contains(#".library(name: "\#(dependency.product)""#))
        }
    }

    @Test(arguments: Brand.all)
    func `an app may sign in with Apple, and its keychain group is its own`(brand: Brand) throws {
        let name = brand.name.filter { !$0.isWhitespace }
        let data = try Data(contentsOf: Self.folder.appending(path: "\(name)/App.entitlements"))
        let entitlements = try PropertyListDecoder().decode(Entitlements.self, from: data)
        #expect(entitlements.signInWithApple == ["Default"])
        // The first group is where a store without an access group keeps its items, and where older versions did.
        #expect(entitlements.keychainGroups == ["$(AppIdentifierPrefix)\(brand.bundleIdentifier)"])
    }
}
