// Style of the HTML page. Colours are defined once for light and once for dark; a test checks their contrast against WCAG AA.

export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f6f8fa; --line: #d1d9e0; --text: #1f2328; --muted: #59636e;
  --error: #b3121f; --warning: #7d4e00; --notice: #0550ae; --good: #116329; --mark: #fff0c2; --link: #0550ae;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0d1117; --raised: #161b22; --line: #3d444d; --text: #e6edf3; --muted: #9da7b1;
    --error: #ff8f87; --warning: #e3b341; --notice: #79c0ff; --good: #56d364; --mark: #3a2f0b; --link: #79c0ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main, footer { max-width: 64rem; margin: 0 auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 1.25rem 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0 0 .25rem; }
h1.denied { color: var(--error); } h1.allowed { color: var(--good); } h1.undecided, h1.nothing-checked { color: var(--warning); }
a { color: var(--link); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: 0; padding: 0; }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; padding: .5rem; overflow-x: auto; white-space: pre; overflow-wrap: normal; }
pre .hit { background: var(--mark); }
.skip { position: absolute; left: -99rem; } .skip:focus { position: static; }
.filters { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: .75rem 0; }
.filters label { display: inline-flex; gap: .35rem; align-items: center; }
.filters label span { white-space: nowrap; }
.filters label.search { flex: 1 1 16rem; }
input, select, button { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--muted); border-radius: 6px; padding: .3rem .6rem; }
input[type=search] { width: 100%; }
button { cursor: pointer; } button:disabled { color: var(--muted); cursor: default; }
button[aria-pressed=true] { background: var(--text); color: var(--ground); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.overview { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1rem; }
.overview ul { list-style: none; margin: 0; padding: 0; }
.overview li button { width: 100%; display: flex; justify-content: space-between; gap: .5rem; text-align: left; border-color: transparent; }
.overview li button:hover { border-color: var(--line); }
.list { list-style: none; margin: 0; padding: 0; }
.entry { border: 1px solid var(--line); border-left: .35rem solid var(--muted); border-radius: 6px; margin: .5rem 0; padding: .6rem .8rem; }
.entry.error { border-left-color: var(--error); } .entry.warning { border-left-color: var(--warning); } .entry.notice { border-left-color: var(--notice); }
.entry .action { font-weight: 600; } .error .action { color: var(--error); } .warning .action { color: var(--warning); } .notice .action { color: var(--notice); }
.entry p { margin: .15rem 0; } .entry h3 { white-space: pre-line; }
.muted { color: var(--muted); }
.entry dl { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr; gap: .15rem .75rem; margin: .5rem 0; } .entry dt { color: var(--muted); } .entry dd { margin: 0; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top; } th { overflow-wrap: normal; } .scroll td:not(.number) { min-width: 6.5rem; overflow-wrap: anywhere; } td.number { text-align: right; font-variant-numeric: tabular-nums; }
.pages { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: .75rem 0; }
footer { padding-bottom: 2rem; margin-top: 2rem; }
@media (max-width: 30rem) { body { font-size: 14px; } .entry dl { grid-template-columns: 1fr; } .entry dd { margin-bottom: .25rem; } }
`;
