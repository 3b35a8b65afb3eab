// A real Chromium, one per test file, with checks for errors and foreign requests of pages.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { CHROMIUM } from './evidence-table.ts';

export interface WatchedPage {
  readonly page: Page;
  /** Errors on the console and in scripts, including violations of the page's security policy. */
  readonly problems: string[];
  /** Requested URLs outside of the page's own URL prefix. */
  readonly strangers: string[];
}

export function startChromium(): Promise<Browser> {
  return launch({
    executablePath: CHROMIUM ?? '',
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
  });
}

export interface Look {
  readonly width?: number;
  readonly dark?: boolean;
}

/** A new blank page. `own`: URL prefix of allowed requests. */
export async function watchedPage(
  browser: Browser,
  own: string,
  { width = 1000, dark = false }: Look = {},
): Promise<WatchedPage> {
  const page = await browser.newPage();
  const problems: string[] = [];
  const strangers: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(own) && !request.url().startsWith('data:')) strangers.push(request.url());
  });
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  return { page, problems, strangers };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Findings of axe, as `rule: element`. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  });
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: readonly string[] }[];
  }[];
}

/** Pixels by which the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - window.innerWidth') as Promise<number>;
}
