// Screenshots of the review comment for visual inspection: `npm run pictures -- FOLDER`, wide and narrow, light and dark.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { renderMarkdown } from '../src/report/format/markdown/markdown.ts';
import { readReport } from '../src/report/json/read-report.ts';
import type { Report } from '../src/report/report.ts';
import { overflow, startChromium, watchedPage } from '../test/support/chromium.ts';
import { CHROMIUM, EVIDENCE } from '../test/support/evidence-table.ts';
import { GitFolder } from '../test/support/git-fixture.ts';
import { REVIEW_CHANGES, type ReviewChange } from './pictures/review-changes.ts';
import { reviewPage } from './pictures/review-page.ts';

const ROOT = join(import.meta.dirname, '..');
const FILES = 'https://github.com/shop/manifests';
/** Maximum size of a check-run summary, in bytes. */
const CHECK_RUN_BYTES = 65_535;
const WIDTHS = [1000, 390];

/** Output of `preadmit diff main HEAD` for the change, as a review comment. */
function markdownOf({ base, head, options = [] }: ReviewChange): string {
  const repository = new GitFolder();
  try {
    const write = (files: Readonly<Record<string, string>>): string => {
      for (const [path, text] of Object.entries(files)) repository.write(path, text);
      return repository.commit();
    };
    const before = write(base);
    repository.git('switch', '-q', '-c', 'change');
    const after = write(head);
    return renderMarkdown(reportOf(repository.path, options), {
      maxBytes: CHECK_RUN_BYTES,
      blobUrl: `${FILES}/blob/${after}`,
      baseBlobUrl: `${FILES}/blob/${before}`,
      baseName: 'main',
      runUrl: `${FILES}/actions/runs/4711`,
    });
  } finally {
    repository.remove();
  }
}

function reportOf(directory: string, options: readonly string[]): Report {
  const command = [
    '--import',
    import.meta.resolve('tsx'),
    join(ROOT, 'src/cli.ts'),
    'diff',
    'main',
    'HEAD',
    ...options,
  ];
  const { stdout, stderr } = spawnSync(process.execPath, [...command, '--format', 'json'], {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
  });
  const read = readReport(stdout);
  if ('problem' in read) throw new Error(`the report ${read.problem}\n${stderr}`);
  return read.report;
}

async function takePictures(folder: string): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true });
  const browser = await startChromium();
  const wrong: string[] = [];
  try {
    for (const change of REVIEW_CHANGES) {
      const file = join(folder, `${change.name}.html`);
      const markdown = markdownOf(change);
      writeFileSync(join(folder, `${change.name}.md`), markdown);
      writeFileSync(file, reviewPage(change.name, markdown));
      for (const width of WIDTHS) {
        for (const dark of [false, true]) {
          const name = `${change.name}-${width}-${dark ? 'dark' : 'light'}`;
          const address = pathToFileURL(file).href;
          const { page, problems, strangers } = await watchedPage(browser, address, { width, dark });
          await page.goto(address);
          const wider = await overflow(page);
          if (wider > 0) wrong.push(`${name}: ${wider} px overflow`);
          for (const each of [...problems, ...strangers]) wrong.push(`${name}: ${each}`);
          await page.screenshot({ path: join(folder, `${name}.png`) as `${string}.png`, fullPage: true });
          await page.close();
        }
      }
    }
  } finally {
    await browser.close();
  }
  return wrong;
}

const [folder] = process.argv.slice(2);
if (folder === undefined || CHROMIUM === undefined) {
  console.error(folder === undefined ? 'usage: npm run pictures -- FOLDER' : `no ${EVIDENCE.browser.what}`);
  process.exitCode = 2;
} else {
  const wrong = await takePictures(resolve(folder));
  console.log(`${REVIEW_CHANGES.length * WIDTHS.length * 2} pictures in ${folder}`);
  if (wrong.length > 0) {
    console.error(wrong.join('\n'));
    process.exitCode = 1;
  }
}
