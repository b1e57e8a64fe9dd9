// SPDX-License-Identifier: Apache-2.0

import CAdwaita
import Foundation

/// The application for the desktop: one window, and one process for each application ID.
///
/// A second process passes its addresses to the first by D-Bus, and ends.
@safe
final class Application {
    /// Returns the content of the window, made when the app starts.
    var content: () -> Widget = { Widget(new: unsafe adw_bin_new()) }
    /// Called once the window is there.
    var started: () -> Void = {}
    /// Called when the user comes back to the window.
    var activated: () -> Void = {}
    /// Called with each address that the app is opened with, which is untrusted.
    var opened: (String) -> Void = { _ in }
    /// Finishes the work in progress, before the app ends; returns the exit code.
    var finishWork: () async -> Int32 = { 0 }

    /// Whether no other process runs the application already.
    var isFirst: Bool {
        // Without a bus every process is the first.
        guard unsafe g_application_register(application, nil, nil) != 0 else { return true }
        return unsafe g_application_get_is_remote(application) == 0
    }

    private let title: String
    private let pointer: UnsafeMutablePointer<GtkApplication>
    private var application: UnsafeMutablePointer<GApplication> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GApplication.self)
    }
    private var window: Widget?
    private var ending: Task<Void, Never>?
    private var exitCode: Int32 = 0

    init(id: String, title: String) {
        self.title = title
        guard let application = unsafe adw_application_new(id, G_APPLICATION_HANDLES_OPEN) else {
            preconditionFailure("GTK made no application.")
        }
        unsafe pointer = UnsafeMutableRawPointer(application).assumingMemoryBound(to: GtkApplication.self)
    }

    /// Runs until the user quits, and returns the exit code.
    func run(_ name: String, _ addresses: [String]) -> Int32 {
        desktop_run_main_actor()
        unsafe Handler.connect(application, "activate") { [unowned self] in
            present()
            return false
        }
        unsafe desktop_connect_open(
            application,
            { _, files, count, _, data in
                guard let data = unsafe data, let files = unsafe files else { return }
                let app = unsafe Unmanaged<Application>.fromOpaque(data).takeUnretainedValue()
                app.present()
                for index in 0..<Int(count) {
                    guard let address = unsafe g_file_get_uri(files[index]) else { continue }
                    unsafe app.opened(String(cString: address))
                    unsafe g_free(address)
                }
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
        for signal in [SIGINT, SIGTERM, SIGHUP] { endAtSignal(signal) }
        // GLib does not take this one. It would leave an image of the memory, with its tokens.
        signal(SIGQUIT, SIG_IGN)
        let quitting = DispatchSource.makeSignalSource(signal: SIGQUIT, queue: .main)
        quitting.setEventHandler { [unowned self] in MainActor.assumeIsolated { end(128 + SIGQUIT) } }
        quitting.resume()
        defer { quitting.cancel() }
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe ([name] + addresses).map { unsafe strdup($0) }
        defer { unsafe arguments.forEach { unsafe free($0) } }
        unsafe arguments.append(nil)
        let code = unsafe g_application_run(application, Int32(arguments.count - 1), &arguments)
        return code == 0 ? exitCode : code
    }

    private func present() {
        // The user wants a closed window back while its work is being finished.
        if exitCode == 0 {
            ending?.cancel()
            ending = nil
        }
        if let window { return unsafe gtk_window_present(window.cast()) }
        let window = Widget(new: unsafe adw_application_window_new(pointer))
        self.window = window
        unsafe gtk_window_set_title(window.cast(), title)
        unsafe gtk_window_set_default_size(window.cast(), 420, 760)
        let header = Widget(new: unsafe adw_header_bar_new()).style("flat")
        let content = content().expanded()
        let box = VStack(spacing: 0) {
            header
            content
        }
        unsafe adw_application_window_set_content(window.cast(), box.widget.pointer)
        unsafe Handler.connect(window.pointer, "close-request") { [unowned self] in
            end(0)
            return true
        }
        unsafe Handler.connect(window.pointer, "notify::is-active") { [unowned self] in
            if unsafe gtk_window_is_active(window.cast()) != 0 { activated() }
            return false
        }
        Handler.connect(key: "<Control>q", of: window) { [unowned self] in end(0) }
        unsafe gtk_window_present(window.cast())
        started()
    }

    private func endAtSignal(_ signal: Int32) {
        let ending = Ending(self, 128 + signal)
        unsafe _ = g_unix_signal_add(
            signal,
            { data in
                guard let data = unsafe data else { return 0 }
                let ending = unsafe Unmanaged<Ending>.fromOpaque(data).takeUnretainedValue()
                ending.application.end(ending.code)
                return 1
            },
            Unmanaged.passRetained(ending).toOpaque()
        )
    }

    private final class Ending {
        let application: Application
        let code: Int32

        init(_ application: Application, _ code: Int32) {
            (self.application, self.code) = (application, code)
        }
    }

    /// Hides the window, finishes the work in progress and ends; a second request ends at once.
    private func end(_ code: Int32) {
        exitCode = max(exitCode, code)
        guard ending == nil else { return quit() }
        if let window { unsafe gtk_widget_set_visible(window.pointer, 0) }
        ending = Task {
            let code = await finishWork()
            guard !Task.isCancelled else { return }
            exitCode = max(exitCode, code)
            quit()
        }
    }

    private func quit() {
        unsafe g_application_quit(application)
    }
}
