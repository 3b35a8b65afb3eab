// HTML report in one self-contained file; nothing in the report can become code.
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import { textDigest } from '../../finding/text-digest.ts';
import type { Report } from '../../report.ts';
import { gathered, type Reporter, reporterOf } from '../../reporter.ts';
import { reviewHeading } from '../../wording/review-heading.ts';
import { pageJson } from './page-data.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';

export const html: Reporter = reporterOf({
  name: 'html',
  extension: 'html',
  pieces: (report) => gathered(page(report)),
});

/** A Content Security Policy allows only this script and style, by digest: no network access, no forms. */
function* page(report: Report): Generator<string> {
  const policy = [
    "default-src 'none'",
    `script-src '${digestSource(PAGE_SCRIPT)}'`,
    `style-src '${digestSource(PAGE_STYLE)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  const heading = `Admission policies: ${reviewHeading(report).replaceAll('`', '')}`;
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(heading)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<a class="skip" href="#content">To the findings</a>
<header>
<h1 class="${report.verdict.conclusion}">${escapeHtml(heading)}</h1>
<nav aria-label="Sections"><ul id="sections"></ul></nav>
</header>
<main id="content" tabindex="-1"><noscript><p>The findings are shown by a script in this file, which the browser was told not to run. \
The formats text and markdown need none.</p></noscript></main>
<footer class="muted"><p>Preadmit ${escapeHtml(report.preadmit)}. Keys: / to search, j and k from finding to finding, Escape to leave the search.</p></footer>
<script type="application/json" id="report">`;
  yield* pageJson(report);
  yield `</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

/** Content Security Policy source of a text: `sha256-…` in base64. */
function digestSource(text: string): string {
  const bytes = textDigest(text, 64).match(/../g) ?? [];
  return `sha256-${btoa(bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join(''))}`;
}

function escapeHtml(text: string): string {
  return sanitizeLine(text).replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
}
