import Foundation
import TestSupport
import UmuveBrands

extension ShellStage {
    /// Where an app keeps its settings.
    func settingsFile(of brand: Brand) -> URL {
        home.appending(path: ".config/\(brand.bundleIdentifier)/settings.json")
    }

    /// Removes an app's settings, as who removes the app and installs it again.
    func removeSettings(of brand: Brand) throws {
        try FileManager.default.removeItem(at: settingsFile(of: brand).deletingLastPathComponent())
    }

    /// All files below the home folder, by their paths there.
    var filesAtHome: [String] {
        let paths = FileManager.default.enumerator(atPath: home.path())?.compactMap { $0 as? String } ?? []
        return paths.filter { path in
            let file = home.appending(path: path).path()
            let attributes = try? FileManager.default.attributesOfItem(atPath: file)
            return attributes?[.type] as? FileAttributeType == .typeRegular
        }
    }

    /// All files of the stage that hold a session token in clear, by their paths.
    var filesWithTokens: [String] {
        tokens.flatMap { folder.files(containing: Data($0.utf8)) }
    }
}
