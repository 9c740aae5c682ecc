/// The style sheet that all drawings share.
enum DrawingStyle {
    static let text = """
        <style>
        .paper { fill: #fff; stroke: #bbb }
        .title { fill: #111; font-size: 16px; font-weight: bold; text-anchor: middle }
        .label { fill: #111 }
        .strong { fill: #111; font-weight: bold }
        .quiet { fill: #555; font-size: 11px }
        .header { fill: #333 }
        .free { fill: #fff; stroke: #999 }
        .line { fill: #1668b8 } .supply { fill: #c62828 } .ground { fill: #000; stroke: #999 }
        .number { fill: #fff; font-size: 10px; text-anchor: middle } .unused { fill: #777; font-size: 10px; text-anchor: middle }
        .wire { stroke-width: 2; fill: none } .wire.line { stroke: #1668b8 } .wire.supply { stroke: #c62828 } .wire.ground { stroke: #000 }
        .box { fill: #f4f7fa; stroke: #456 }
        .shape { fill: #fff; stroke: #111; stroke-width: 1.5 } .solid { fill: #111; stroke: #111; stroke-width: 1.5 }
        </style>
        """

    /// Returns the first lines of a drawing: its size, its title and its paper.
    static func head(width: Int, height: Int, description: String, title: String, subtitle: String) -> [String] {
        [
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(width) \#(height)" width="\#(width)" height="\#(height)" font-family="Helvetica, Arial, sans-serif" font-size="12">"#,
            "<title>\(description)</title>", text,
            #"<rect class="paper" x="0" y="0" width="\#(width)" height="\#(height)" rx="8"/>"#,
            #"<text class="title" x="\#(width / 2)" y="26">\#(title)</text>"#,
            #"<text class="quiet" x="\#(width / 2)" y="44" text-anchor="middle">\#(subtitle)</text>"#,
        ]
    }
}
