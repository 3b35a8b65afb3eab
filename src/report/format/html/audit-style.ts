// Style of the audit page, in addition to that of the report.

export const AUDIT_STYLE = `
nav a[aria-current=page] { font-weight: 600; text-decoration: none; border-bottom: 2px solid currentColor; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .75rem; list-style: none; margin: 1rem 0; padding: 0; }
.tiles li { border: 1px solid var(--line); border-radius: 6px; padding: .5rem .75rem; }
.tiles strong { display: block; font-size: 1.6rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.tiles .denied strong, .tiles .errors strong { color: var(--error); } .tiles .warned strong, .tiles .undecided strong { color: var(--warning); }
.tiles .none strong { color: var(--text); }
figure { margin: 1rem 0; } figcaption { color: var(--muted); }
svg.chart { width: 100%; height: auto; display: block; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; }
svg.chart text { fill: var(--muted); font: 11px system-ui, sans-serif; } svg.chart .axis { stroke: var(--line); }
svg.chart .line { fill: none; stroke-width: 2; } svg.chart .dot { stroke: none; }
.c0 { stroke: var(--error); fill: var(--error); } .c1 { stroke: var(--warning); fill: var(--warning); } .c2 { stroke: var(--notice); fill: var(--notice); }
.c3 { stroke: var(--text); fill: var(--text); } .c4 { stroke: var(--muted); fill: var(--muted); } .c5 { stroke: var(--good); fill: var(--good); }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: .25rem 0; padding: 0; } .legend svg { width: 2rem; height: .6rem; }
svg.spark { width: 7rem; height: 1.5rem; display: block; } svg.spark .line { fill: none; stroke-width: 1.5; }
.note { border-left: .35rem solid var(--warning); padding: .25rem .75rem; margin: .75rem 0; background: var(--raised); }
.filters select { max-width: 14rem; }
`;
