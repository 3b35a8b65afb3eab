// The page of an audit in a real browser, from a file: views, filters in the address, keyboard, hostile texts, 10,000 findings.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { auditPage } from '../../src/report/format/html/audit-page.ts';
import { PAGE_SIZE } from '../../src/report/format/html/page-elements.ts';
import { type FoldedHistory, foldHistory } from '../../src/report/history/fold-history.ts';
import { nextHistory } from '../../src/report/history/next-history.ts';
import { readHistory } from '../../src/report/history/read-history.ts';
import { withHistory } from '../../src/report/history/with-history.ts';
import type { Report } from '../../src/report/report.ts';
import { richAudit } from '../report/rich-audit.ts';
import { hostileReport, manyFindings } from '../report/rich-report.ts';
import { auditOf, auditReport, dayAt, finding, historyOf, notRendered } from '../support/audit-days.ts';
import { axeFindings, overflow, startChromium, type WatchedPage, watchedPage } from '../support/chromium.ts';
import { needs } from '../support/evidence.ts';

const TODAY = dayAt(59);
const VIEWS = [
  'overview',
  'findings',
  'policies',
  'clusters',
  'owners',
  'resources',
  'upgrades',
  'candidates',
  'coverage',
];

function withAllParts(report: Report): Report {
  const { upgrades, whatIf } = richAudit;
  return {
    ...report,
    audit: { day: TODAY, ...report.audit, ...(upgrades && { upgrades }), ...(whatIf && { whatIf }) },
  };
}

/** The page of a report after one audit. */
function pageOf(report: Report): Iterable<string> {
  const { line = '' } = nextHistory('', report, { audit: 'run-1', at: `${TODAY}T05:17:00Z` });
  const history = foldHistory(readHistory(line), TODAY);
  return auditPage(withHistory(report, history, { today: TODAY }), history, TODAY);
}

needs('browser').describe('the page of an audit', () => {
  let folder = '';
  let browser: Browser;
  let watched: WatchedPage | undefined;
  const history: FoldedHistory = foldHistory(readHistory(historyOf(60)), TODAY);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'preadmit-page-'));
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** No console errors, and no request but the page itself. */
  afterEach(async () => {
    const { page, problems, strangers } = watched ?? {};
    await page?.close();
    watched = undefined;
    expect([problems, strangers]).toEqual([[], []]);
  });

  async function open(content: Iterable<string>, hash = '', look = {}): Promise<Page> {
    const file = join(folder, 'index.html');
    writeFileSync(file, [...content].join(''));
    watched = await watchedPage(browser, pathToFileURL(file).href, look);
    await watched.page.goto(pathToFileURL(file).href + hash);
    return watched.page;
  }
  const show = async (page: Page, hash: string): Promise<void> => {
    await page.evaluate((text) => {
      location.hash = text;
    }, hash);
    await page.waitForFunction(
      (view) => document.querySelector(`[aria-current=page][href="#/${view}"]`) !== null,
      {},
      hash.slice(2).split('?')[0],
    );
  };
  const words = (page: Page, selector: string): Promise<readonly string[]> =>
    page.$$eval(selector, (found) => found.map(({ textContent }) => textContent ?? ''));

  test.each([
    ['wide and light', { width: 1280 }],
    ['narrow and dark', { width: 390, dark: true }],
  ])('%s: every view is without axe findings and overflow', async (_title, look) => {
    const page = await open(auditPage(withAllParts(auditOf(60)), history, TODAY), '', look);
    for (const view of VIEWS) {
      await show(page, `#/${view}`);
      await page.$$eval('details', (boxes) => {
        for (const box of boxes) box.open = true;
      });
      // The other views have the same elements, and axe takes a second for each.
      const isChecked = ['overview', 'findings', 'policies', 'upgrades'].includes(view);
      expect([view, isChecked ? await axeFindings(page) : [], await overflow(page)]).toEqual([view, [], 0]);
    }
  });

  test('shows what was not judged as open, never as clean', async () => {
    const undecided = await open(pageOf(auditReport([], [notRendered('HelmRelease apps/podinfo')])));
    expect(await undecided.$eval('h1', ({ className }) => className)).toBe('undecided');
    await undecided.close();
    const page = await open(auditPage(auditOf(60), history, TODAY));
    expect(await words(page, '.note')).toEqual([
      '1 finding of earlier audits could not be judged again. They count as open, not as fixed.',
    ]);
    await show(page, '#/policies');
    const rows = await words(page, 'tbody tr');
    expect(rows[0]).toMatch(/^replica-limit3.*1$/);
    expect(rows[2]).toMatch(/^team-label0000059 days, 60 audits, not everything was judged/);
  });

  test('keeps filters in the address, and a link to it shows the same', async () => {
    const page = await open(auditPage(auditOf(60), history, TODAY), '#/findings');
    await page.select('#filter-owner', '@shop/web');
    await page.select('#filter-state', 'all');
    await page.type('#search', 'legacy');
    const address = await page.evaluate(() => location.hash);
    expect(address).toBe('#/findings?q=legacy&owner=%40shop%2Fweb&state=all');
    expect(await page.$$('article')).toHaveLength(1);
    await page.close();
    const again = await open(auditPage(auditOf(60), history, TODAY), address);
    expect(await again.$$('article')).toHaveLength(1);
    expect(await again.$eval('#search', (input) => (input as HTMLInputElement).value)).toBe('legacy');
    await show(again, '#/findings?age=30');
    expect(await words(again, 'article p code')).toEqual(['Deployment shop/checkout', 'Deployment shop/search']);
  });

  test('is usable by keyboard: links, filters, search, findings, and the focus follows the view', async () => {
    const page = await open(auditPage(auditOf(60), history, TODAY));
    const focused = (): Promise<string> =>
      page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.slice(0, 20) || '');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Findings');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#filter-level');
    expect(await focused()).toBe('Findings');
    await page.keyboard.press('/');
    await page.keyboard.type('gateway');
    expect(await page.$$('article')).toHaveLength(1);
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('ARTICLE');
    await page.goBack();
    await page.waitForSelector('.tiles');
  });

  test('has the numbers of a chart as a table', async () => {
    const page = await open(auditPage(auditOf(60), history, TODAY));
    await page.click('figure summary');
    await page.waitForSelector('figure table');
    expect((await words(page, 'figure tbody tr'))[0]).toBe('2026-11-243021denied');
    expect(await page.$$('figure polyline')).toHaveLength(4);
  });

  test('counts a finding for each object and cluster, and a problem for each subject, as the history does', async () => {
    const web = finding({ object: 'web', owner: '@shop/web' });
    const objects = ['production', 'staging'].map((target) => ({ target, resource: web.resource }));
    const roots = ['HelmRelease apps/cache', 'HelmRelease apps/queue', 'HelmRelease apps/web'];
    const broken = { ...notRendered(roots[0] as string), subjects: roots, count: 3, owners: ['@shop/platform'] };
    const notice = { ...broken, code: 'unreached', severity: 'notice', subjects: [], owners: ['@shop/web'] } as const;
    const joined = { ...web, targets: ['production', 'staging'], objects };
    const page = await open(pageOf(auditReport([joined], [broken, notice])), '#/owners');
    const rows = (): Promise<readonly string[]> =>
      page.$$eval('tbody tr', (lines) =>
        lines.map((line) =>
          [...line.querySelectorAll('td')]
            .slice(0, 3)
            .map((cell) => cell.textContent)
            .join(' '),
        ),
      );
    expect(await rows()).toEqual(['@shop/platform 3 3', '@shop/web 2 0']);
    await show(page, '#/clusters');
    expect(await rows()).toEqual(['production 1 0', 'staging 1 0']);
  });

  test('shows hostile texts as texts', async () => {
    const page = await open(pageOf(hostileReport));
    for (const view of VIEWS) await show(page, `#/${view}`);
    await page.evaluate(() => {
      location.hash = '#/policy?name=%22%3E%3Cimg%20src%3Dx%3E';
    });
    await page.waitForFunction(() => document.querySelector('h2')?.textContent === 'Policy "><img src=x>');
    expect(await page.$$('img, iframe, object, embed, form, link')).toHaveLength(0);
  });

  test('has as many elements with 10,000 findings as with 60, and finds one of them', async () => {
    const page = await open(pageOf(manyFindings(10_000)), '#/findings');
    expect(await page.$$('article')).toHaveLength(PAGE_SIZE);
    expect(await page.$$eval('*', ({ length }) => length)).toBeLessThan(3_000);
    await page.type('#search', 'number 9999');
    expect(await words(page, 'article h3')).toEqual(['finding number 9999']);
  });
});
