"""How the page looks: one set of names for colours, light and dark; safe for colour-blind eyes; printed in light."""

from __future__ import annotations

LIGHT = (
    "--ink:#1d2530;--soft:#566271;--line:#d9dfe6;--bg:#f7f8fa;--card:#fff;"
    "--for:#0072b2;--against:#d55e00;--accent:#6a3fb5;--low:#00734f;--c3:#b58900;--c4:#cc79a7;--c5:#7a7f87"
)
DARK = (
    "--ink:#e6ebf1;--soft:#9aa7b5;--line:#2c3642;--bg:#12171d;--card:#1a2129;"
    "--for:#56b4e9;--against:#ff8f4a;--accent:#b796ff;--low:#2fc79a;--c3:#f0c649;--c4:#e79fc6;--c5:#a9b1ba;"
    "--most:.75"  # of a colour behind light text
)

PAGE = """
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
header,main{max-width:1180px;margin:0 auto;padding:18px 22px}
header{padding-bottom:0}
h1{font-size:22px;line-height:1.25;margin:0;overflow-wrap:anywhere}
h2{font-size:13px;text-transform:uppercase;letter-spacing:.8px;color:var(--soft);margin:0 0 10px}
p{margin:0 0 8px}
main{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,460px),1fr));gap:18px}
.card{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:16px 18px;min-width:0}
.whole{grid-column:1/-1}
.soft{color:var(--soft);font-size:13.5px}
.chosen{color:var(--accent);white-space:nowrap}
.large{font-size:19px;margin-bottom:4px}.large b{font-size:42px;line-height:1.1;margin-right:4px}
q{overflow-wrap:anywhere}
dl{margin:0}dl div{display:grid;grid-template-columns:110px 1fr;border-bottom:1px solid var(--line);padding:5px 0}
dl div:last-child{border-bottom:0}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
code,pre{font:13px/1.5 ui-monospace,monospace}
pre{margin:0;overflow-x:auto;padding:10px 12px;background:var(--bg);border-radius:8px;max-height:22em}
"""
TABLES = """
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--soft);font-size:13.5px;padding:2px 0}
td,th{text-align:left;padding:5px 8px;border-bottom:1px solid var(--line);font-weight:400;vertical-align:top}
th:first-child,td:first-child{padding-left:0}
thead th{color:var(--soft);font-size:13px;white-space:nowrap}
tbody tr:last-child>*{border-bottom:0}
tbody th{overflow-wrap:break-word;max-width:22em}
.n{text-align:right;white-space:nowrap}
.row{white-space:pre-wrap;overflow-wrap:anywhere;display:block;min-width:16em}
.grid{width:auto;margin-bottom:12px}
.grid td,.grid thead th{text-align:center;border:1px solid var(--card);padding:5px 4px;min-width:2.3em}
.grid thead th{max-width:8em;white-space:normal;overflow-wrap:anywhere;vertical-align:bottom}
.grid thead th:first-child{text-align:left;white-space:nowrap;max-width:none}
.grid tbody th{border:0;padding-right:12px}
.grid td{background:color-mix(in srgb,var(--shade) calc(var(--much,0%)*var(--most,1)),var(--card))}
.many td,.many th{font-size:12.5px}.many td{padding:4px 1px;min-width:2em}
.many thead th:first-child{white-space:normal;overflow-wrap:normal;width:7em}
.grid .nil{color:var(--soft)}
.right{--shade:var(--for)}.wrong{--shade:var(--against)}
.lists{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,290px),1fr));gap:18px 28px}
.lists caption{font-weight:600;color:var(--ink);font-size:15px;overflow-wrap:anywhere}
.lists thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.lists td,.lists th{padding:2px 8px 2px 0;border:0}
.lists th{width:45%;overflow-wrap:anywhere}.lists .n{width:1%}.lists td:last-child{padding-right:0}
.stack td:nth-child(4){width:62%}.stack td:last-child{min-width:8em;overflow-wrap:anywhere}
.loose td,.loose th{overflow-wrap:anywhere}
@media(max-width:640px){
.stack thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.stack tr{display:block;padding:8px 0;border-bottom:1px solid var(--line)}
.stack th,.stack td{display:inline;border:0;padding:0 4px 0 0}
.stack td:nth-child(2)::before{content:"taken for "}.stack td:nth-child(3)::before{content:"by "}
.stack .row{margin:2px 0}
}
details{margin-top:8px}summary{cursor:pointer;color:var(--soft);font-size:13.5px}
details .lists{margin-top:12px}
"""
PICTURES = """
.picture{display:block;width:100%;height:auto;max-width:620px}
svg text{fill:var(--soft);font:12px system-ui,sans-serif}
@media(max-width:640px){svg text{font-size:17px}}
.g{stroke:var(--line);stroke-width:1}
.line{fill:none;stroke-width:2.5;stroke-linejoin:round}.thin{stroke-width:1.25}
.line.new{stroke:var(--accent)}.mark.new{fill:var(--accent)}
.line.was{stroke:var(--soft);stroke-width:1.5;stroke-dasharray:5 4}.mark.was{fill:var(--soft)}
.line.low{stroke:var(--low)}.mark.low{fill:var(--low)}
.line.old{stroke:var(--soft);stroke-width:1.5;stroke-dasharray:6 5}
.span{stroke:var(--accent);stroke-width:5;opacity:.45}
.band{fill:var(--accent);opacity:.1}
.bar{display:block;width:100%;height:14px;margin-top:4px}
.for{fill:var(--for)}.against{fill:var(--against)}
.frame{fill:none;stroke:var(--line)}.paper{fill:var(--bg)}
.cell{fill:var(--shade);fill-opacity:var(--much)}
.k0{fill:var(--against)}.k1{fill:var(--for)}.k2{fill:var(--low)}.k3{fill:var(--c3)}.k4{fill:var(--c4)}.k5{fill:var(--c5)}
.region{opacity:.14}.point{stroke:var(--card);stroke-width:1}
.beside{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:8px 24px}
.beside>*{min-width:0}
.sign{width:16px;height:16px;vertical-align:-2px}.name{margin-right:10px;white-space:nowrap}
.images{display:grid;grid-template-columns:repeat(auto-fill,minmax(118px,1fr));gap:14px}
.images.rows{grid-template-columns:repeat(auto-fill,minmax(150px,1fr))}
.images.rows .for{fill:var(--ink)}
figure{margin:0}figcaption{font-size:13.5px;line-height:1.35;margin-top:4px;overflow-wrap:anywhere}
.images .picture{border:1px solid var(--line);border-radius:6px;shape-rendering:crispEdges}
.key{display:inline-block;width:14px;height:10px;border-radius:2px;margin:0 6px 0 0;background:var(--accent)}
.key.for{background:var(--for)}.key.against{background:var(--against);margin-left:12px}
.key.was{background:none;border-top:2px dashed var(--soft);height:4px;margin-left:12px}
"""
PRINT = """
@media print{
:root{color-scheme:light}
body{background:#fff;font-size:10.5pt}header,main{max-width:none;padding:0 0 10px}
main{display:block}.card{break-inside:auto;border:0;border-top:1px solid var(--line);border-radius:0;padding:10px 0}
h2,tr,figure,.picture{break-inside:avoid}h2{break-after:avoid}.wide,pre{overflow:visible;max-height:none}
pre{white-space:pre-wrap}details::details-content{content-visibility:visible;display:block;block-size:auto}
*{print-color-adjust:exact}
}
"""

# A cell of a notebook takes its colours from the text around it, since no page can tell which theme a notebook has:
# mixed with that, blue and vermilion are darker on light ground and lighter on dark ground. Notebooks have rules of
# their own for tables and lists, which the class outweighs by standing thrice.
CELL = """
.rosenblatt{--soft:color-mix(in srgb,currentColor 65%,transparent);
--line:color-mix(in srgb,currentColor 18%,transparent);
--for:color-mix(in srgb,#0072b2 72%,currentColor);--against:color-mix(in srgb,#d55e00 72%,currentColor);
font:13.5px/1.5 system-ui,sans-serif;max-width:900px;overflow-wrap:break-word}
.rosenblatt p{margin:0 0 6px}.rosenblatt .soft,.rosenblatt dt,.rosenblatt summary{color:var(--soft)}
.rosenblatt dl{margin:0 0 6px}.rosenblatt dl div{display:grid;grid-template-columns:76px 1fr}
.rosenblatt dt,.rosenblatt dd{float:none;width:auto;margin:0;padding:0;font-weight:400}
.rosenblatt dd,.rosenblatt table{font-variant-numeric:tabular-nums}
.rosenblatt .wide{overflow-x:auto}
.rosenblatt tr{background:none}
.rosenblatt table{border-collapse:collapse;border:0;margin:4px 0;table-layout:auto;font-size:inherit}
.rosenblatt caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.rosenblatt td,.rosenblatt th{text-align:left;font-weight:400;padding:2px 14px 2px 0;border:0;vertical-align:top;
background:none;max-width:32em;white-space:pre-wrap}
.rosenblatt thead th{color:var(--soft);border-bottom:1px solid var(--line)}
.rosenblatt td.n,.rosenblatt th.n{text-align:right;white-space:nowrap}
.rosenblatt .whole{white-space:nowrap;margin-right:12px;display:inline-block}
.rosenblatt .bar{display:block;width:150px}.rosenblatt .bar i{display:block;height:9px;margin-top:6px;border-radius:2px}
.rosenblatt .for{background:var(--for)}.rosenblatt .against{background:var(--against)}
.rosenblatt .meter{display:inline-block;width:220px;height:8px;background:var(--line);margin-right:10px}
.rosenblatt .meter i{display:block;height:100%}.rosenblatt .meter,.rosenblatt .meter i{border-radius:4px}
"""


def cell_style() -> str:
    """The style sheet of a cell of a notebook."""
    return CELL.replace("\n", "").replace(".rosenblatt ", ".rosenblatt.rosenblatt.rosenblatt ")


def colours() -> str:
    return f":root{{color-scheme:light dark;{LIGHT}}}@media screen and (prefers-color-scheme:dark){{:root{{{DARK}}}}}"


def picture_style() -> str:
    """The style sheet of a picture that is a file of its own."""
    return colours() + "svg{background:var(--card)}" + PICTURES


def style() -> str:
    """The style sheet of the page."""
    # The shares of colour of cells: ten strengths, even the weakest one visible.
    strengths = "".join(f".s{k}{{--much:{0 if k == 0 else 7 * k - 1}%}}" for k in range(10))
    images = "".join(f".images .s{k}{{fill-opacity:{k / 9:.2f}}}" for k in range(1, 10))
    return colours() + PAGE + TABLES + PICTURES + strengths + images + PRINT
