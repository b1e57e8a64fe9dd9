// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import UmuveBrands

extension DesktopStage {
    /// Returns the settings file of an older version of an app.
    func settingsFile(of brand: Brand) -> URL {
        home.appending(path: ".config/\(brand.bundleIdentifier)/settings.json")
    }

    /// Removes an app's settings, as a reinstallation of the app does.
    func removeSettings(of brand: Brand) throws {
        try FileManager.default.removeItem(at: settingsFile(of: brand).deletingLastPathComponent())
    }

    /// Writes a setting of the desktop, for the apps that are started after that.
    func setDesktop(_ setting: String) throws {
        let file = home.appending(path: ".config/gtk-4.0/settings.ini")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("[Settings]\n\(setting)\n".utf8).write(to: file)
    }

    /// The paths of all files in the home folder, relative to it.
    var filesAtHome: [String] {
        let paths = FileManager.default.enumerator(atPath: home.path())?.compactMap { $0 as? String } ?? []
        return paths.filter { path in
            let file = home.appending(path: path).path()
            let attributes = try? FileManager.default.attributesOfItem(atPath: file)
            return attributes?[.type] as? FileAttributeType == .typeRegular
        }
    }

    /// The paths of all files of the stage that hold a session token in plain text.
    var filesWithTokens: [String] {
        tokens.flatMap { folder.files(containing: Data($0.utf8)) }
    }
}
