// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
import Testing

@testable import OpenIDConnect

@Suite struct BrowserEnvironmentTests {
    private func isPassed(_ name: String) -> Bool { BrowserEnvironment.filtered([name: "value"]) == [name: "value"] }

    @Test(arguments: [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", "LANG", "LC_ALL", "BROWSER", "DISPLAY",
        "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XDG_CURRENT_DESKTOP",
        "KDE_FULL_SESSION", "https_proxy", "NO_PROXY", "MOZ_ENABLE_WAYLAND", "WSL_INTEROP", "VSCODE_IPC_HOOK_CLI",
        "SNAP", "SNAP_NAME", "SNAP_USER_DATA", "FLATPAK_ID",
    ])
    func `the browser gets the variables that it needs`(name: String) {
        #expect(isPassed(name))
    }

    @Test(arguments: [
        "SALLYPORT_PASSPHRASE", "SALLYPORT_API_KEY", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "SSH_AUTH_SOCK",
        "SNAP_COOKIE", "SNAP_CONTEXT", "LD_LIBRARY_PATH", "LD_PRELOAD", "PATHS", "XDG", "path", "",
    ])
    func `the browser gets no other variable`(name: String) {
        #expect(!isPassed(name))
    }
}
#endif
