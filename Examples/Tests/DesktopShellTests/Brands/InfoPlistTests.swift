// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import UmuveBrands

@Suite("The property lists of the apps for Apple systems")
struct InfoPlistTests {
    /// The relevant part of an app's property list.
    private struct InfoPlist: Decodable {
        struct URLType: Decodable {
            let schemes: [String]

            enum CodingKeys: String, CodingKey {
                case schemes = "CFBundleURLSchemes"
            }
        }

        let identifier: String
        let displayName: String
        let urlTypes: [URLType]

        enum CodingKeys: String, CodingKey {
            case identifier = "CFBundleIdentifier"
            case displayName = "CFBundleDisplayName"
            case urlTypes = "CFBundleURLTypes"
        }

        init(of brand: Brand) throws {
            let folder = brand.name.filter { !$0.isWhitespace }
            let file = URL(filePath: #filePath).appending(path: "../../../../Apps/\(folder)/Info.plist")
            self = try PropertyListDecoder().decode(Self.self, from: Data(contentsOf: file.standardizedFileURL))
        }
    }

    @Test(arguments: Brand.all)
    func `only the callback scheme is registered`(brand: Brand) throws {
        #expect(try InfoPlist(of: brand).urlTypes.flatMap(\.schemes) == [brand.callbackScheme])
    }

    @Test(arguments: Brand.all)
    func `the display name is the brand's, and the bundle identifier comes from the build settings`(
        brand: Brand
    ) throws {
        let list = try InfoPlist(of: brand)
        #expect(list.identifier == "$(PRODUCT_BUNDLE_IDENTIFIER)")
        #expect(list.displayName == brand.name)
    }
}
