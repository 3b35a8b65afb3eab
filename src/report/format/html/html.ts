// HTML report in one self-contained file; nothing in the report can become code.
import type { Report } from '../../report.ts';
import { gathered, type Reporter, reporterOf } from '../../reporter.ts';
import { reviewHeading } from '../../wording/review-heading.ts';
import { documentHead, escapeHtml } from './document-head.ts';
import { pageJson } from './page-data.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';

export const html: Reporter = reporterOf({
  name: 'html',
  extension: 'html',
  pieces: (report) => gathered(page(report)),
});

function* page(report: Report): Generator<string> {
  const heading = `Admission policies: ${reviewHeading(report).replaceAll('`', '')}`;
  yield documentHead(heading, PAGE_STYLE, PAGE_SCRIPT);
  yield `<body>
<a class="skip" href="#content">To the findings</a>
<header>
<h1 class="${report.verdict.conclusion}">${escapeHtml(heading)}</h1>
<nav aria-label="Sections"><ul id="sections"></ul></nav>
</header>
<main id="content" tabindex="-1"><noscript><p>A script in this file shows the findings, but this browser runs no scripts. \
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
