enum ReportStyle {
    /// The hash of the sheet for the security policy; a test compares the two.
    static let hash: Markup = "sha256-DfgbHDJ9qLrmXqJauI2sqqa4FOAYUeJ9lno9gzdmynw="

    /// The colours of speed follow viridis, whose brightness keeps the order when printed in black and white.
    static let sheet: Markup = """
        :root{--ink:#1d2127;--soft:#626b76;--line:#e3e5e8;--page:#f3f4f6;--card:#fff;--map:#f7f6f2;--grid:#e9e7e0;\
        --s0:#482878;--s1:#3e4a89;--s2:#31688e;--s3:#26828e;--s4:#1f9e89;--s5:#4fb953;--s6:#a5c614;\
        --casing:#fff;--accent:#1f9e89;--blue:#3b6ea8;--stop:#c2410c;--amber:#d98e04;--red:#c1272d;--idle:#d9dce0}
        @media screen and (prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#9aa3ad;--line:#2c3239;--page:#101316;--card:#191d22;\
        --map:#14181c;--grid:#20262c;--s0:#8a6fd1;--s1:#6b83d6;--s2:#4c9ac7;--s3:#35b0ab;--s4:#3cc98f;--s5:#8bd64f;--s6:#f0e442;\
        --casing:#14181c;--accent:#2fb39c;--blue:#5b93d6;--stop:#ea6a2f;--amber:#e2a52b;--red:#e5575c;--idle:#373e46}}
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%}
        body{margin:0;background:var(--page);color:var(--ink);font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;\
        font-variant-numeric:tabular-nums}
        main{max-width:1060px;margin:0 auto;padding:28px 20px 40px}
        header{margin:0 4px 18px}
        h1{font-size:30px;line-height:1.2;letter-spacing:-.02em;margin:2px 0 4px;overflow-wrap:anywhere}
        h2{font-size:13px;font-weight:600;text-transform:uppercase;letter-spacing:.07em;color:var(--soft);margin:0 0 12px}
        .device{margin:0;color:var(--soft);font-weight:650;overflow-wrap:anywhere}
        .span{margin:0;color:var(--soft);overflow-wrap:anywhere}
        .figures{display:grid;grid-template-columns:repeat(6,1fr);gap:1px;background:var(--line);border:1px solid var(--line);\
        border-radius:12px;overflow:hidden;margin:0 0 16px}
        .figures div{background:var(--card);padding:14px 14px}
        dt{color:var(--soft);font-size:13px}
        dd{margin:2px 0 0;font-size:20px;font-weight:650;letter-spacing:-.01em;line-height:1.25}
        dd small{display:block;font-size:12px;font-weight:400;letter-spacing:0;color:var(--soft);margin-top:2px}
        .card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:16px 18px;margin:0 0 16px;overflow:hidden}
        .flush{padding:16px 0 0}.flush h2{padding:0 18px}
        svg{display:block;width:100%}
        .map{height:auto;background:var(--map);border-top:1px solid var(--line);border-bottom:1px solid var(--line)}
        .map path{fill:none;stroke-linecap:round;stroke-linejoin:round;vector-effect:non-scaling-stroke}
        .map .grid{stroke:var(--grid);stroke-width:1}
        .casing path{stroke:var(--casing);stroke-width:7}
        .track path{stroke-width:4}
        .arrow path{fill:var(--ink);stroke:var(--casing);stroke-width:1}
        .s0{stroke:var(--s0)}.s1{stroke:var(--s1)}.s2{stroke:var(--s2)}.s3{stroke:var(--s3)}.s4{stroke:var(--s4)}\
        .s5{stroke:var(--s5)}.s6{stroke:var(--s6)}
        .stop rect{fill:var(--stop);stroke:var(--card);stroke-width:2.5}
        .stop text{fill:#fff;font-size:14px;font-weight:700;text-anchor:middle}
        .scale path{stroke:var(--ink);stroke-width:1.5}
        .scale text{fill:var(--ink);font-size:14px;text-anchor:middle;stroke:var(--map);stroke-width:4px;paint-order:stroke;stroke-linejoin:round}
        .north path{fill:var(--ink)}
        .north text{fill:var(--ink);font-size:14px;font-weight:700;text-anchor:middle}
        ol,ul{list-style:none;margin:0;padding:0}
        .legend{display:flex;padding:12px 18px 14px;font-size:12px;color:var(--soft);gap:2px}
        .legend li{flex:0 1 74px;padding-top:5px;border-top:6px solid;text-align:center}
        .legend .unit{border-color:transparent;flex:0 0 auto;padding-left:6px}
        .legend .k0{border-color:var(--s0)}.legend .k1{border-color:var(--s1)}.legend .k2{border-color:var(--s2)}.legend .k3{border-color:var(--s3)}\
        .legend .k4{border-color:var(--s4)}.legend .k5{border-color:var(--s5)}.legend .k6{border-color:var(--s6)}
        .legend li{color:var(--soft)}
        figure{margin:0 0 12px}
        figcaption{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 12px;font-size:13px;margin:0 0 4px}
        figcaption b{font-weight:600;overflow-wrap:anywhere}figcaption span{color:var(--soft)}
        .speed{height:190px;overflow:visible}
        .speed svg{overflow:visible}
        .speed path{vector-effect:non-scaling-stroke;stroke-linejoin:round}
        .speed .area{fill:var(--accent);opacity:.16}
        .speed .line{fill:none;stroke:var(--accent);stroke-width:1.6}
        .rules line{stroke:var(--line);stroke-width:1}
        .labels text,.axis text{font-size:12px;fill:var(--soft)}
        .labels text{stroke:var(--card);stroke-width:3px;paint-order:stroke;stroke-linejoin:round}
        .axis{height:20px;overflow:visible}
        .axis .middle{text-anchor:middle}.axis .last{text-anchor:end}
        .month li{display:grid;grid-template-columns:46px 1fr 66px;gap:10px;align-items:center;font-size:13px;padding:2px 0}
        .month b{font-weight:600;text-align:right;white-space:nowrap}.month i{font-style:normal;font-weight:400;color:var(--soft);font-size:12px}
        .month span{text-align:right;color:var(--soft);white-space:nowrap}.month .weekend b{color:var(--stop)}
        .month svg{height:14px}.month li>svg[viewBox]{border-radius:4px;background:var(--grid);shape-rendering:crispEdges}.month .foot svg{height:20px}
        .strip svg{height:20px;border-radius:5px;background:var(--grid);shape-rendering:crispEdges}
        rect.moving,rect.delivered{fill:var(--accent)}rect.parked{fill:var(--idle)}rect.off{fill:transparent}rect.hidden{fill:var(--soft)}
        rect.on{fill:var(--blue)}rect.waiting{fill:var(--amber)}rect.aside{fill:var(--red)}rect.withheld{fill:var(--idle)}
        .key{display:flex;flex-wrap:wrap;gap:4px 16px;margin-top:12px;font-size:12px;color:var(--soft)}
        .key li::before{content:"";display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:6px;background:var(--grid)}
        .key .moving::before,.key .delivered::before{background:var(--accent)}.key .parked::before,.key .withheld::before{background:var(--idle)}
        .key .on::before{background:var(--blue)}.key .waiting::before{background:var(--amber)}.key .aside::before{background:var(--red)}
        .key .hidden::before{background:var(--soft)}.key .off::before{background:var(--grid);outline:1px solid var(--line)}
        table{border-collapse:collapse;width:100%;font-size:14px}
        th,td{text-align:left;padding:8px 24px 8px 0;border-top:1px solid var(--line);vertical-align:top;font-weight:400;overflow-wrap:anywhere}
        thead th{color:var(--soft);font-size:12px;border-top:0;padding-top:0;white-space:nowrap}
        tbody th{font-weight:650;white-space:nowrap}
        .figure{white-space:nowrap}
        th:last-child,td:last-child{padding-right:0}
        .labels li{padding:3px 0}
        .none{color:var(--soft);margin:0;padding:8px 0}
        footer{color:var(--soft);font-size:12px;margin:20px 4px 0}
        @media (max-width:820px){.figures{grid-template-columns:repeat(3,1fr)}}
        @media (max-width:620px){main{padding:18px 10px 28px}h1{font-size:24px}
        .figures{grid-template-columns:repeat(2,1fr)}.figures div{padding:11px 13px}dd{font-size:19px}
        .card{padding:14px 13px}.flush{padding:14px 0 0}.flush h2{padding:0 13px}.legend{padding:10px 13px 12px;font-size:11px}
        .zoom{transform:scale(2)}.track path{stroke-width:3.5}.arrow{display:none}.speed{height:150px}.axis .minor{display:none}
        .c5 thead,.c6 thead,.c7 thead,.c8 thead{display:none}
        .c5 tr,.c6 tr,.c7 tr,.c8 tr{display:grid;grid-template-columns:1fr 1fr;gap:2px 14px;border-top:1px solid var(--line);padding:9px 0}
        .c5 tr:first-child,.c6 tr:first-child,.c7 tr:first-child,.c8 tr:first-child{border-top:0}
        .c5 td,.c5 tbody th,.c6 td,.c6 tbody th,.c7 td,.c7 tbody th,.c8 td,.c8 tbody th{border:0;padding:0;text-align:left;white-space:normal}
        .c5 [data-title]::before,.c6 [data-title]::before,.c7 [data-title]::before,.c8 [data-title]::before\
        {content:attr(data-title) " ";color:var(--soft);font-weight:400;font-size:12px}
        .c5 tbody th,.c6 tbody th,.c7 tbody th,.c8 tbody th{grid-column:1/-1}}
        @page{margin:14mm}
        @media print{:root{--page:#fff;--card:#fff}
        body{font-size:11px;-webkit-print-color-adjust:exact;print-color-adjust:exact}
        main{padding:0;max-width:none}.card,.figures{break-inside:avoid;border-radius:0}section:has(table){break-inside:auto}tr{break-inside:avoid}
        dd{font-size:16px}.speed{height:120px}table{font-size:11px}}
        """
}
