#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension UserFolder {
    /// Where an app's settings are: `$XDG_CONFIG_HOME/<app>`, by default `.config/<app>` in the home folder.
    ///
    /// The home is the one that `HOME` names, else the one that the system has.
    /// [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir-spec/latest/#variables).
    ///
    /// - Parameter app: The app's name.
    /// - Returns: The folder's path; it may not be there yet.
    /// - Throws: ``SecureStoreError`` (`denied` where the user has no home).
    static func configuration(of app: StoreService) throws(SecureStoreError) -> String {
        if let named = unsafe getenv("XDG_CONFIG_HOME").map({ unsafe String(cString: $0) }), named.hasPrefix("/") {
            return "\(named)/\(app.name)"
        }
        guard let home = homeOfEnvironment() ?? homeOfUser() else {
            throw SecureStoreError(.denied, detail: "no home folder")
        }
        return "\(home)/.config/\(app.name)"
    }
}
