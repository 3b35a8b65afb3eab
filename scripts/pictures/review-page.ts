// Approximates GitHub's rendering of a review comment: Markdown as a page with similar colours, widths and fonts.
import { marked } from 'marked';

const STYLE = `
:root { --page: #f6f8fa; --card: #fff; --ink: #1f2328; --line: #d1d9e0; --link: #0969da; --soft: #818b981f; --block: #f6f8fa; --dim: #59636e; }
@media (prefers-color-scheme: dark) {
  :root { --page: #010409; --card: #0d1117; --ink: #f0f6fc; --line: #3d444d; --link: #4493f8; --soft: #656c7633; --block: #151b23; --dim: #9198a1; }
}
body { margin: 0; padding: 16px; background: var(--page); color: var(--ink); font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", Helvetica, Arial, sans-serif; }
main { max-width: 794px; margin: 0 auto; padding: 16px; box-sizing: border-box; background: var(--card); border: 1px solid var(--line); border-radius: 6px; overflow-wrap: break-word; }
main > :first-child { margin-top: 0; }
main > :last-child { margin-bottom: 0; }
p, blockquote, ul, ol, dl, table, pre, details { margin: 0 0 16px; }
h1, h2, h3, h4 { margin: 24px 0 16px; font-weight: 600; line-height: 1.25; }
h2 { font-size: 1.5em; padding-bottom: .3em; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.25em; }
a { color: var(--link); text-decoration: underline; text-underline-offset: .2rem; }
ul, ol { padding-left: 2em; }
li + li { margin-top: .25em; }
code { padding: .2em .4em; font: 85% ui-monospace, "DejaVu Sans Mono", monospace; white-space: break-spaces; background: var(--soft); border-radius: 6px; }
pre { padding: 16px; overflow: auto; font: 85%/1.45 ui-monospace, "DejaVu Sans Mono", monospace; background: var(--block); border-radius: 6px; }
pre code { padding: 0; font-size: 100%; white-space: pre; background: none; }
table { display: block; width: max-content; max-width: 100%; overflow: auto; border-spacing: 0; border-collapse: collapse; }
th, td { padding: 6px 13px; border: 1px solid var(--line); }
th { font-weight: 600; }
summary { cursor: pointer; }
sub { font-size: 75%; line-height: 0; position: relative; vertical-align: baseline; bottom: -.25em; }
@media (max-width: 500px) { body { padding: 8px; } main { padding: 12px; } }
`;

/** `markdown` is Preadmit's output, so quoted text in it is already escaped. */
export function reviewPage(title: string, markdown: string): string {
  const body = marked.parse(markdown, { gfm: true, async: false });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>\n`;
}
