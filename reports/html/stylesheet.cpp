// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/html/stylesheet.hpp"

namespace rig::reports {

Literal stylesheet() {  // NOLINT(readability-function-size): one text, nothing to follow
    return R"css(
:root {
  --paper: #f7f7f5; --panel: #ffffff; --rule: #dcdfe4; --ink: #1b1f27; --muted: #59606d;
  --wire: #1d5fae; --wire-soft: #c9dcf2; --irq: #b0440f; --irq-soft: #fbe0cf; --mark: #6b479f; --mark-soft: #e6dcf5;
  --band: #dff0e4; --pass: #176b3a; --pass-soft: #dff0e4; --fail: #b3261e; --fail-soft: #fbe1de;
  --inconclusive: #7a5200; --inconclusive-soft: #fbeccb; --error: #8a1f5c; --error-soft: #f8dfed;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #12151a; --panel: #1a1e25; --rule: #343b47; --ink: #e7eaef; --muted: #a5aebb;
    --wire: #82b6f4; --wire-soft: #28415f; --irq: #f5a06c; --irq-soft: #4f2e1b; --mark: #c2a8ef; --mark-soft: #3a2d52;
    --band: #1e3a2a; --pass: #74d399; --pass-soft: #1e3a2a; --fail: #ff938a; --fail-soft: #4a211e;
    --inconclusive: #e8bd5f; --inconclusive-soft: #43340f; --error: #f293c4; --error-soft: #47203a;
  }
}
* { box-sizing: border-box; }
html { font: 15px/1.5 system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; color: var(--ink);
  background: var(--paper); -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0 auto; max-width: 1200px; padding: 2rem 1.5rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.9rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.01em; margin: 0 0 0.8rem;
  display: flex; flex-wrap: wrap; gap: 0.9rem; align-items: center; }
h2 { font-size: 1.2rem; font-weight: 650; margin: 0 0 0.9rem; }
h3 { font-size: 0.93rem; font-weight: 600; margin: 1.3rem 0 0.4rem; color: var(--muted); }
p { margin: 0.4rem 0; max-width: 78ch; }
.cause { font-size: 1.17rem; line-height: 1.45; }
.hint { color: var(--muted); }
.meta { color: var(--muted); font-size: 0.88rem; display: flex; flex-wrap: wrap; gap: 0.2rem 1.6rem; max-width: none; }
.meta b { font-weight: 600; color: var(--ink); }
.badge { display: inline-block; font-size: 0.8rem; font-weight: 650; line-height: 1.5; letter-spacing: 0.01em;
  padding: 0.05rem 0.6rem; border: 1px solid currentColor; border-radius: 99px; white-space: nowrap; }
h1 .badge { font-size: 1.35rem; padding: 0.15rem 1rem; }
.badge.pass { color: var(--pass); background: var(--pass-soft); }
.badge.fail { color: var(--fail); background: var(--fail-soft); }
.badge.skipped { color: var(--weak); }
.badge.inconclusive { color: var(--inconclusive); background: var(--inconclusive-soft); }
.badge.error { color: var(--error); background: var(--error-soft); }
nav { display: flex; flex-wrap: wrap; gap: 0.15rem 1.15rem; margin: 1.2rem 0 1.4rem; padding: 0.6rem 0;
  border-top: 1px solid var(--rule); border-bottom: 1px solid var(--rule); font-size: 0.88rem; }
nav a { color: var(--muted); text-decoration: none; padding: 0.15rem 0; }
nav a:hover, nav a:focus-visible { color: var(--ink); text-decoration: underline; }
:focus-visible { outline: 2px solid var(--wire); outline-offset: 2px; }
section { background: var(--panel); border: 1px solid var(--rule); border-radius: 10px; padding: 1.4rem 1.5rem 1.5rem;
  margin: 0 0 1.3rem; }
figure { margin: 0; min-width: 0; }
.note, .legend { color: var(--muted); font-size: 0.86rem; }
.reasons { margin: 0.2rem 0 0; padding-left: 1.2rem; }
.nothing { color: var(--muted); padding: 0.8rem 1rem; border: 1px dashed var(--rule); border-radius: 8px; }
.legend { display: flex; flex-wrap: wrap; gap: 0.1rem 1.5rem; max-width: none; }
.legend span { padding-left: 1.35rem; position: relative; }
.key { position: absolute; left: 0; top: 0.42em; width: 0.85rem; height: 0.55rem; border-radius: 2px; }
.key.wire { background: var(--wire-soft); border-bottom: 2px solid var(--wire); }
.key.irq { background: var(--irq-soft); border-left: 2px solid var(--irq); border-right: 2px solid var(--irq); }
.key.mark { border: 2px solid var(--mark); border-bottom: 0; border-radius: 0; }
.key.hollow, .key.solid { width: 0.6rem; height: 0.6rem; border-radius: 50%; border: 1.5px solid var(--irq); left: 0.2rem; }
.key.solid { background: var(--ink); border-color: var(--ink); }
.headlines { display: grid; grid-template-columns: repeat(auto-fit, minmax(250px, 1fr)); gap: 0; margin: 1.2rem 0 0.6rem;
  border-top: 1px solid var(--rule); border-bottom: 1px solid var(--rule); }
.headlines > div { padding: 0.9rem 1.2rem 0.95rem 0; }
.headlines > div + div { padding-left: 1.2rem; border-left: 1px solid var(--rule); }
dt { font-size: 0.86rem; color: var(--muted); }
dd { margin: 0; }
.headlines .figure { font-size: 1.55rem; font-weight: 620; line-height: 1.3; letter-spacing: -0.01em;
  font-variant-numeric: tabular-nums; }
.under { font-size: 0.86rem; color: var(--muted); }
.scroll { overflow: auto; max-width: 100%; max-height: 44rem; }
.scroll.drawing { max-height: none; }
svg { display: block; width: 100%; height: auto; }
.drawing svg { min-width: 780px; }
table { border-collapse: collapse; width: 100%; font-size: 0.88rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--muted); font-size: 0.86rem; padding: 0 0 0.5rem; }
th, td { padding: 0.32rem 0.9rem 0.32rem 0; text-align: left; vertical-align: baseline;
  border-bottom: 1px solid var(--rule); overflow-wrap: break-word; }
tbody th { font-weight: 600; }
thead th { position: sticky; top: 0; background: var(--panel); font-weight: 600; color: var(--muted); white-space: nowrap;
  box-shadow: inset 0 -1px var(--rule); border-bottom: 0; }
th.n, td.n { text-align: right; white-space: nowrap; }
td.n + td:not(.n), th.n + th.t { padding-left: 0.6rem; }
td small { color: var(--muted); font-size: 0.92em; }
tr.rejected td, tr.rejected th, tr.weak td, tr.weak th { color: var(--muted); }
tr.rejected .why { color: var(--fail); min-width: 9rem; }
tr.shown td, tr.shown th { background: var(--irq-soft); }
tr.shown td small { color: var(--ink); }
tr:target td, tr:target th { background: var(--wire-soft); }
.mono { font-family: var(--mono); font-size: 0.86em; }
.hash { min-width: 24rem; color: var(--muted); }
.value { white-space: pre-wrap; }
.bar { min-width: 10rem; width: 30%; }
.bar svg { height: 0.8rem; width: 100%; }
.bar .most { fill: var(--irq-soft); stroke: var(--irq); stroke-width: 0.5; }
.bar .median { fill: var(--irq); }
pre { font: 0.8rem/1.45 var(--mono); margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
pre.log { max-height: 26rem; overflow: auto; padding: 0.8rem 1rem; background: var(--paper); border: 1px solid var(--rule);
  border-radius: 8px; }
pre mark { background: var(--wire-soft); color: var(--ink); }
details { margin-top: 0.8rem; font-size: 0.88rem; }
summary { cursor: pointer; color: var(--muted); }
details pre { margin-top: 0.5rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); gap: 0.4rem 2rem; }
svg text { font-size: 12px; fill: var(--ink); font-variant-numeric: tabular-nums; }
svg .row { fill: var(--muted); }
svg .axis { fill: var(--muted); text-anchor: middle; font-size: 11.5px; }
svg .inbar { text-anchor: middle; }
svg .last { text-anchor: end; }
svg .absent, svg .elided { fill: var(--muted); }
svg .elided { text-anchor: middle; font-size: 11px; }
svg .wiretext { font: 11px var(--mono); white-space: pre; }
svg .glyph { font: 600 13px var(--mono); text-anchor: middle; }
svg .broken { fill: var(--fail); }
svg .code { font: 9.5px var(--mono); fill: var(--muted); text-anchor: middle; }
svg path { fill: none; }
svg .grid { stroke: var(--rule); stroke-width: 1; }
svg .bound { stroke: var(--muted); stroke-width: 1; stroke-dasharray: 3 3; }
svg .cell { stroke: var(--rule); stroke-width: 1; }
svg .startbit { fill: var(--wire-soft); }
svg .tx path, svg .marker path { stroke-width: 1.5; }
svg .tx .level { stroke: var(--wire); }
svg .tx .envelope { fill: var(--wire-soft); }
svg .tx .mean { stroke: var(--wire); stroke-width: 1; }
svg .marker .level { stroke: var(--mark); }
svg .marker .envelope { fill: var(--mark-soft); }
svg .marker .mean { stroke: var(--mark); stroke-width: 1; }
svg .irqoff { fill: var(--irq-soft); }
svg .irqoff.other { fill: none; stroke: var(--irq); stroke-width: 0.75; }
svg .irqend { stroke: var(--irq); stroke-width: 2; }
svg .distance { stroke: var(--muted); stroke-width: 1; }
svg .knockout { fill: var(--panel); }
svg .tick { stroke-width: 1.4; }
svg .tick.lost { stroke: var(--irq); fill: none; }
svg .tick.came { stroke: var(--ink); fill: var(--ink); }
svg .fitline { stroke: var(--muted); stroke-width: 1; }
svg .dots { stroke: var(--irq); stroke-width: 6; stroke-linecap: round; }
svg .dots.wiredots { stroke: var(--wire); }
svg .dots.ink { stroke: var(--ink); stroke-width: 4.5; }
svg .dots.small { stroke-width: 2.5; }
svg .wirepoint { stroke: var(--wire); stroke-width: 1.2; }
svg .outside { stroke: var(--fail); stroke-width: 2; }
svg .band { fill: var(--band); }
@media (max-width: 640px) {
  .scroll > table { min-width: 40rem; }
  body { padding: 1.1rem 0.7rem 3rem; }
  section { padding: 1rem 0.9rem 1.1rem; border-radius: 8px; }
  h1 { font-size: 1.4rem; gap: 0.6rem; }
  h1 .badge { font-size: 1.1rem; }
  .headlines > div + div { padding-left: 0; border-left: 0; border-top: 1px solid var(--rule); }
}
@media print {
  html { font-size: 9.5pt; background: none; }
  body { max-width: none; padding: 0; }
  nav { display: none; }
  section { border: 0; border-top: 1px solid var(--rule); border-radius: 0; padding: 0.8rem 0; break-inside: auto; }
  .scroll, pre.log { max-height: none; overflow: visible; }
  .drawing svg { min-width: 0; }
  thead th { position: static; }
  table { font-size: 7.5pt; }
  .hash { min-width: 0; }
  tr, figure, .headlines { break-inside: avoid; }
  h2, h3, caption { break-after: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";
}

}  // namespace rig::reports
