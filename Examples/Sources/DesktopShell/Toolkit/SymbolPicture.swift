// SPDX-License-Identifier: Apache-2.0

import AppShell
import CAdwaita

/// The picture of a symbol, which stands for an SF symbol.
///
/// Drawn as SVG, for which GTK needs librsvg.
struct SymbolPicture: View {
    let widget: Widget

    /// Creates the symbol in a colour; nil if it can't be drawn.
    init?(_ symbolName: String, color: SRGBColor) {
        guard let paths = Self.paths[symbolName] else { return nil }
        self.init(svg: Self.symbol(paths, color, at: (0, 0), size: 40), width: 40, height: 40)
    }

    /// Creates the symbol of a page, in a circle over the page's gradient; nil if it can't be drawn.
    init?(_ page: OnboardingPage) {
        guard let paths = Self.paths[page.symbolName], let gradient = page.gradient else { return nil }
        let svg = """
            <defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="\(gradient.start.hex)"/>
            <stop offset="1" stop-color="\(gradient.end.hex)"/></linearGradient></defs>
            <rect width="360" height="216" rx="24" fill="url(#g)"/><circle cx="180" cy="108" r="76" fill="#fff"/>
            \(Self.symbol(paths, gradient.start, at: (136, 64), size: 88))
            """
        self.init(svg: svg, width: 360, height: 216)
    }

    private init?(svg: String, width: Int32, height: Int32) {
        let text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">\
            \(svg)</svg>
            """
        let bytes = unsafe g_bytes_new(text, gsize(text.utf8.count))
        defer { unsafe g_bytes_unref(bytes) }
        guard let texture = unsafe gdk_texture_new_from_bytes(bytes, nil) else { return nil }
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(texture)) }
        widget = Widget(new: unsafe gtk_picture_new_for_paintable(texture))
            .aligned(GTK_ALIGN_CENTER)
            .accessibilityHidden()
        unsafe gtk_widget_set_size_request(widget.pointer, width, height)
    }

    /// Returns a symbol of 24 by 24 units, in lines.
    private static func symbol(_ paths: String, _ color: SRGBColor, at place: (x: Int, y: Int), size: Int) -> String {
        """
        <g transform="translate(\(place.x) \(place.y)) scale(\(Double(size) / 24))" fill="none" stroke="\(color.hex)" \
        stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"><path d="\(paths)"/></g>
        """
    }

    /// The lines of the symbols, as SVG paths.
    private static let paths = [
        "shippingbox": "M12 2 21 7V17L12 22 3 17V7Z M3 7 12 12 21 7 M12 12V22 M7.5 4.5 16.5 9.5",
        "mappin.and.ellipse": """
        M12 17V9 M12 9A3 3 0 1 0 12 3 3 3 0 0 0 12 9 M8 15C5 15.5 3 16.7 3 18 3 20.2 7 22 12 \
        22S21 20.2 21 18C21 16.7 19 15.5 16 15
        """,
        "checkmark.circle": "M12 2A10 10 0 1 0 12 22 10 10 0 0 0 12 2 M7.5 12.5 10.5 15.5 16.5 8.5",
        "calendar": """
        M3 5H21V21H3Z M3 10H21 M8 2.5V6 M16 2.5V6 M7 14H9 M11 14H13 M15 14H17 M7 17.5H9 M11 \
        17.5H13
        """,
        "calendar.badge.clock": """
        M12 21H3V5H21V11 M3 10H21 M8 2.5V6 M16 2.5V6 M18 14A4.5 4.5 0 1 0 18 23 4.5 4.5 0 0 \
        0 18 14 M18 16V18.5L19.5 19.5
        """,
        "dollarsign.circle": """
        M12 2A10 10 0 1 0 12 22 10 10 0 0 0 12 2 M12 5.5V18.5 M15.5 9C15.5 7.5 14 6.9 12 \
        6.9S8.5 7.7 8.5 9.4C8.5 13 15.5 11 15.5 14.6 15.5 16.3 14 17.1 12 17.1S8.5 16.5 8.5 \
        15
        """,
        "truck.box.fill": """
        M1.5 5H14V17H10 M5 17H1.5V5 M14 9H18.5L22.5 13V17H20 M15 17H14 M7.5 15A2.3 2.3 0 1 0 \
        7.5 19.6 2.3 2.3 0 0 0 7.5 15 M17.5 15A2.3 2.3 0 1 0 17.5 19.6 2.3 2.3 0 0 0 17.5 15
        """,
    ]
}
