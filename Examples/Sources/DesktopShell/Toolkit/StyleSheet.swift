// SPDX-License-Identifier: Apache-2.0

import AppShell
import CAdwaita
import UmuveBrands

/// The brand's colours over the desktop's light or dark ones.
enum StyleSheet {
    /// Installs the style sheet, and changes it with the desktop's colour scheme.
    static func install(_ palette: BrandPalette) {
        let provider = unsafe gtk_css_provider_new()
        unsafe gtk_style_context_add_provider_for_display(
            gdk_display_get_default(),
            desktop_style_provider(provider),
            guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION)
        )
        guard let manager = unsafe adw_style_manager_get_default() else { return }
        func load() -> Bool {
            let text = text(palette, isDark: unsafe adw_style_manager_get_dark(manager) != 0)
            unsafe gtk_css_provider_load_from_data(provider, text, -1)
            return false
        }
        _ = load()
        unsafe Handler.connect(UnsafeMutableRawPointer(manager), "notify::dark", load)
    }

    /// Returns the accent as a colour of text, which is lighter on the desktop's dark background.
    static func accent(of palette: BrandPalette, isDark: Bool) -> SRGBColor {
        ColorGradient(from: palette.accent, to: .white).color(at: isDark ? 0.45 : 0)
    }

    private static func text(_ palette: BrandPalette, isDark: Bool) -> String {
        """
        @define-color accent_bg_color \(palette.accent.hex);
        @define-color accent_fg_color \(palette.onAccent.hex);
        @define-color accent_color \(accent(of: palette, isDark: isDark).hex);
        \(isDark ? "" : "@define-color window_bg_color \(palette.background.hex);")
        \(isDark ? "" : "@define-color window_fg_color \(palette.text.hex);")
        \(isDark ? "" : "@define-color error_color \(palette.error.hex);")
        entry:focus-within { outline-color: alpha(@window_fg_color, 0.5); }
        .wordmark { font-size: 250%; font-weight: 800; color: @accent_bg_color; }
        .apple { background: \(isDark ? "white" : "black"); color: \(isDark ? "black" : "white"); padding: 12px 32px; }
        .banner { background: \(palette.banner.hex); color: \(palette.text.hex); padding: 6px 12px; }
        """
    }
}

nonisolated extension SRGBColor {
    /// The colour as CSS and SVG write it.
    var hex: String {
        "#" + [red, green, blue].map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
    }
}
