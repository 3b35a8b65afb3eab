// The site and the HTML report in a real browser: user interactions, errors and network requests.
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, ElementHandle, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildSite, serveSite } from '../../site/build.ts';
import { isRendered } from '../../site/client/written-files.ts';
import { playgroundExamples } from '../../site/pages/examples.ts';
import { html } from '../../src/report/format/html/html.ts';
import { PAGE_SIZE } from '../../src/report/format/html/page-elements.ts';
import type { Report } from '../../src/report/report.ts';
import { hostileReport, manyFindings, richReport } from '../report/rich-report.ts';
import { axeFindings, type Look, overflow, startChromium, type WatchedPage, watchedPage } from '../support/chromium.ts';
import { needs } from '../support/evidence.ts';

/** Index of the example with a kustomization. */
const OVERLAY = String(playgroundExamples().findIndex(({ state }) => isRendered(state.object)));

needs('browser').describe('in Chromium', () => {
  let folder = '';
  let url = '';
  let stop = (): void => {};
  /** Paths that pages and their workers requested from the server. */
  let asked: string[] = [];
  let browser: Browser;
  let watched: WatchedPage | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'preadmit-site-'));
    const { dead } = await buildSite(folder);
    expect(dead).toEqual([]);
    ({ url, stop } = await serveSite(folder, 0, (path) => asked.push(path)));
    browser = await startChromium();
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** After every test: no console errors, and no requests to other hosts. */
  afterEach(async () => {
    const { page, problems, strangers } = watched ?? {};
    await page?.close();
    watched = undefined;
    asked = [];
    expect(problems ?? []).toEqual([]);
    expect(strangers ?? []).toEqual([]);
  });

  async function open(path: string, look?: Look): Promise<Page> {
    watched = await watchedPage(browser, url, look);
    await watched.page.goto(url + path);
    return watched.page;
  }

  describe('the playground', () => {
    const verdict = (page: Page): Promise<string> => page.$eval('#verdict', ({ textContent }) => textContent ?? '');
    const says = (page: Page, words: string): Promise<unknown> =>
      page.waitForFunction(
        (text) => document.querySelector('#verdict')?.textContent?.includes(text),
        { timeout: 30_000 },
        words,
      );
    const editor = async (page: Page, name: string): Promise<ElementHandle<Element>> =>
      (await page.$(`#${name}-editor >>> .cm-content`)) as ElementHandle<Element>;
    const text = (page: Page, name: string): Promise<string> =>
      page.$$eval(`#${name}-editor >>> .cm-line`, (lines) => lines.map(({ textContent }) => textContent).join('\n'));
    const marks = (page: Page, name: string): Promise<readonly string[]> =>
      page.$$eval(`#${name}-editor >>> .cm-lintRange-error`, (found) =>
        found.map(({ textContent }) => textContent ?? ''),
      );
    const openPlayground = async (path = '', look?: Look): Promise<Page> => {
      const page = await open(path, look);
      await page.waitForFunction(() => document.querySelector('#results')?.getAttribute('aria-busy') === 'false', {
        timeout: 30_000,
      });
      return page;
    };
    /** Replaces the whole text of an editor. */
    const write = async (page: Page, name: string, words: string): Promise<void> => {
      await (await editor(page, name)).focus();
      await page.keyboard.down('Control');
      await page.keyboard.press('a');
      await page.keyboard.up('Control');
      await page.keyboard.sendCharacter(words);
    };

    test('shows a denial on its line, with its evaluation, on the first visit', async () => {
      const page = await openPlayground();
      expect(await verdict(page)).toBe('Denied: CREATE of Deployment storefront');
      expect(await marks(page, 'object')).toEqual(['12']);
      const told = await page.$eval('#results', ({ textContent }) => textContent);
      for (const words of [
        'at most 6 replicas are allowed here, not 12',
        'object, line 10',
        'int(params.data.maxReplicas)',
        '→ 6',
      ])
        expect(told).toContain(words);
    });

    test('answers an edit, and moves the cursor from a finding to its line', async () => {
      const page = await openPlayground();
      await page.click('#results .place');
      await page.keyboard.press('Delete');
      await page.keyboard.press('Delete');
      await page.keyboard.type('5');
      await says(page, 'Allowed: CREATE of Deployment storefront');
      expect(await text(page, 'object')).toContain('replicas: 5');
      expect(await marks(page, 'object')).toEqual([]);
    });

    test('marks errors in a policy', async () => {
      const page = await openPlayground();
      const policies = (await text(page, 'policies')).replace('object.spec.replicas <=', 'object.spec.replicas <<=');
      await write(page, 'policies', policies);
      await says(page, 'Undecided');
      expect((await marks(page, 'policies')).length).toBeGreaterThan(0);
    });

    test('uses operation, user, namespace labels and release', async () => {
      const page = await openPlayground();
      await page.select('#operation', 'UPDATE');
      await says(page, 'contains no Deployment storefront');
      await write(page, 'oldObject', (await text(page, 'object')).replace('replicas: 12', 'replicas: 7'));
      await says(page, 'Denied: UPDATE of Deployment storefront');
      await page.select('#operation', 'DELETE');
      await says(page, 'Allowed: DELETE');
      await page.select('#operation', 'CREATE');
      await write(page, 'policies', POLICY_OF_REQUEST);
      await says(page, 'Denied');
      await page.click('#request-box summary');
      await page.type('#username', 'jane');
      await page.type('#groups', 'a, admins');
      await write(page, 'resources', '');
      await page.type('#namespaceLabels', 'team=commerce');
      await says(page, 'Allowed');
      await page.select('#kubernetesVersion', '1.28');
      await says(page, 'Undecided');
    });

    test('shares the whole state by URL', async () => {
      const page = await openPlayground();
      await page.select('#example', '2');
      await says(page, 'Service');
      await write(page, 'object', `# ${'ü€😀'.repeat(3)}\n${await text(page, 'object')}`);
      await page.waitForFunction(() => location.hash === '');
      await page.click('#share');
      await page.waitForFunction(() => location.hash.startsWith('#s1.'));
      expect(await page.$eval('#link', (link) => (link as HTMLInputElement).value)).toBe(page.url());
      const [address, shared] = [page.url(), [await text(page, 'object'), await text(page, 'policies')]];
      await page.close();
      const other = await openPlayground(address.slice(url.length));
      expect([await text(other, 'object'), await text(other, 'policies')]).toEqual(shared);
    });

    test.each(['#s1.%%%', '#s1.AAAA', `#s1.${'A'.repeat(300_000)}`])('reports a damaged URL', async (hash) => {
      const page = await openPlayground(hash);
      expect(await page.$eval('#note', ({ textContent }) => textContent)).toContain('damaged');
      expect(await verdict(page)).toContain('Denied');
    });

    test('is usable by keyboard: every control in order, out of the editors, into the tree', async () => {
      const page = await openPlayground();
      const visited: string[] = [];
      for (let step = 0; step < 40; step++) {
        await page.keyboard.press('Tab');
        visited.push(String(await page.evaluate(FOCUSED)));
      }
      const order = [
        'example',
        'kubernetesVersion',
        'operation',
        'share',
        'SUMMARY User and namespace',
        'object-editor',
        'BUTTON object, line 10',
        'policies-editor',
        'resources-editor',
      ];
      const places = order.map((name) => visited.findIndex((each) => each.startsWith(name)));
      expect(places, visited.join(', ')).not.toContain(-1);
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      await page.focus('.why summary');
      await page.keyboard.press('Enter');
      expect(await page.$eval('.why details', (box) => (box as HTMLDetailsElement).open)).toBe(false);
    });

    test('shows hostile texts as text', async () => {
      const page = await openPlayground();
      const markup = '<img src=https://example.com/x onerror=alert(1)><script>alert(1)</script>';
      await write(page, 'policies', POLICY_OF_REQUEST.replace('only jane', markup));
      await page.waitForFunction(
        (words) => document.querySelector('#results')?.textContent?.includes(words),
        {},
        markup,
      );
      expect(await page.$$('main img, main script')).toHaveLength(0);
    });

    test('stops a worker that does not answer, and stays usable', async () => {
      watched = await watchedPage(browser, url);
      const { page } = watched;
      let isHanging = true;
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        const hangs = isHanging && request.url().endsWith('/worker.js');
        void (hangs
          ? request.respond({
              contentType: 'text/javascript',
              body: 'postMessage({ ready: true }); onmessage = () => {}',
            })
          : request.continue());
      });
      await page.goto(url);
      await says(page, 'stopped: no answer');
      isHanging = false;
      await page.select('#example', '1');
      await says(page, 'Denied');
    });

    describe('with a kustomization', () => {
      /** Records all texts of the verdict from now on. */
      const heard = (page: Page): Promise<void> =>
        page.evaluate(() => {
          const said: string[] = [];
          (globalThis as unknown as { said: string[] }).said = said;
          new MutationObserver(() => {
            said.push(document.querySelector('#verdict')?.textContent ?? '');
          }).observe(document.querySelector('#verdict') as Element, { childList: true });
        });
      const said = (page: Page): Promise<readonly string[]> =>
        page.evaluate(() => (globalThis as unknown as { said: string[] }).said);

      test('loads the renderer, shows the denial at the patch, and answers an edit without loading it again', async () => {
        const page = await openPlayground();
        expect(asked.filter((path) => /rendering|engine/.test(path))).toEqual([]);
        await heard(page);
        await page.select('#example', OVERLAY);
        await says(page, 'Denied: the object that kustomize builds');
        expect(await said(page)).toEqual([
          expect.stringMatching(/^Loading the renderer, [5-9] MB …$/),
          'Rendering …',
          'Denied: the object that kustomize builds',
        ]);
        expect(await marks(page, 'object')).toEqual(['12']);
        const told = await page.$eval('#results', ({ textContent }) => textContent);
        expect(told).toContain('Deployment shop-production/storefront: at most 6 replicas are allowed here, not 12');
        expect(told).toContain('object, line 13');
        expect(await axeFindings(page)).toEqual([]);
        await page.click('#results .place');
        await page.keyboard.press('Delete');
        await page.keyboard.press('Delete');
        await page.keyboard.type('5');
        await says(page, 'Allowed: the object that kustomize builds');
        expect(await text(page, 'object')).toContain('replicas: 5');
        expect(await marks(page, 'object')).toEqual([]);
        await write(page, 'object', `${await text(page, 'object')}\n${OTHER_OVERLAY}`);
        await says(page, 'Denied: 1 of 2 objects that kustomize builds');
        expect(asked.filter((path) => /rendering|engine/.test(path))).toEqual([
          '/rendering-worker.js',
          '/engine.wasm.gz',
        ]);
      });

      test('is shared by URL, and marks errors of kustomize', async () => {
        const page = await openPlayground('', { width: 390 });
        await page.select('#example', OVERLAY);
        await says(page, 'Denied: the object');
        const files = (await text(page, 'object')).replace('path: replicas.yaml', 'path: none.yaml');
        await write(page, 'object', files);
        await says(page, 'Undecided: 1 kustomization cannot be built');
        // The kustomization, and the object, whose Namespace only the kustomization sets.
        expect(await page.$$('#object-editor >>> .cm-lintRange-warning')).toHaveLength(2);
        expect(await page.$eval('#results', ({ textContent }) => textContent)).toContain('object, line 2');
        expect(await overflow(page)).toBeLessThanOrEqual(0);
        await page.click('#share');
        await page.waitForFunction(() => location.hash.startsWith('#s1.'));
        const address = page.url();
        await page.close();
        const other = await openPlayground(address.slice(url.length));
        await says(other, 'Undecided: 1 kustomization cannot be built');
        expect(await text(other, 'object')).toBe(files);
      });

      test('reports unsupported requests', async () => {
        const page = await openPlayground();
        await page.select('#example', OVERLAY);
        await says(page, 'Denied: the object');
        await page.select('#operation', 'UPDATE');
        await says(page, 'choose CREATE');
        await page.select('#operation', 'CREATE');
        await says(page, 'Denied: the object');
        await write(page, 'object', '# file: ../kustomization.yaml\n');
        await says(page, 'is not a file path');
        await page.select('#example', '1');
        await says(page, 'Denied: CREATE of Deployment storefront');
      });

      test.each(['WebAssembly', 'DecompressionStream'])('reports a missing %s', async (missing) => {
        watched = await watchedPage(browser, url);
        const { page } = watched;
        await page.evaluateOnNewDocument((name) => Reflect.deleteProperty(globalThis, name), missing);
        await page.goto(url);
        await says(page, 'Denied');
        await page.select('#example', OVERLAY);
        await says(page, 'so it cannot render');
        await page.select('#example', '1');
        await says(page, 'Denied: CREATE of Deployment storefront');
      });

      test("loads the server's validation for an object that may be invalid", async () => {
        const page = await openPlayground();
        expect(asked).not.toContain('/validation.wasm.gz');
        await write(page, 'object', `${VALID_DEPLOYMENT}  replicas: -1\n`);
        await says(page, 'Denied: CREATE of Deployment web');
        const told = await page.$eval('#results', ({ textContent }) => textContent);
        expect(told).toContain('spec.replicas: Invalid value: -1: must be greater than or equal to 0');
        expect(asked.filter((path) => path === '/validation.wasm.gz')).toHaveLength(1);
      });

      test('reports a module that cannot be loaded, and tries again', async () => {
        const page = await openPlayground();
        const module = join(folder, 'engine.wasm.gz');
        renameSync(module, `${module}.away`);
        await page.select('#example', OVERLAY);
        await says(page, 'the server answered 404');
        renameSync(`${module}.away`, module);
        await write(page, 'object', `${await text(page, 'object')}\n`);
        await says(page, 'Denied: the object');
      });
    });

    test.each([
      ['wide, light', {}],
      ['wide, dark', { dark: true }],
      ['narrow, light', { width: 390 }],
      ['narrow, dark', { width: 390, dark: true }],
    ])('has no axe findings and no overflow: %s', async (_name, look) => {
      const page = await openPlayground('', look);
      expect(await axeFindings(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
    });
  });

  const FETCHES: Readonly<Record<string, readonly string[]>> = {
    'rendering-worker.js': ['fetch("engine.wasm.gz")'],
    'worker.js': ['fetch("validation.wasm.gz")'],
  };

  test('no script of the playground can reach another host', () => {
    for (const script of ['playground.js', 'worker.js', 'rendering-worker.js']) {
      const code = readFileSync(join(folder, script), 'utf8');
      expect(
        code.match(
          /\bfetch\([^)]*\)?|new (?:XMLHttpRequest|WebSocket|EventSource)\b|importScripts\(|sendBeacon\(|\bimport\(/g,
        ) ?? [],
      ).toEqual(FETCHES[script] ?? []);
    }
  });

  describe('the documents', () => {
    test.each([
      'docs/index.html',
      'docs/configuration.html',
      'docs/command-line.html',
      'README.html',
      'docs/codes/index.html',
    ])('%s: has no axe findings and no overflow at 390 px', async (path) => {
      const page = await open(path, { width: 390, dark: path.includes('co') });
      expect(await axeFindings(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
    });

    test('have a search whose results link to sections', async () => {
      const page = await open('docs/codes/failed-validation.html');
      await page.type('#search', 'bina blobs of nonsense');
      await page.waitForFunction(() => document.querySelector('#found-status')?.textContent === 'No results');
      await page.$eval('#search', (input) => {
        (input as HTMLInputElement).value = '';
      });
      await page.type('#search', 'kubernetes version configuration');
      await page.waitForSelector('#found li a');
      expect(await axeFindings(page)).toEqual([]);
      await Promise.all([page.waitForNavigation(), page.click('#found li a')]);
      const { pathname, hash } = new URL(page.url());
      expect(pathname).toMatch(/^\/docs\/.*\.html$/);
      expect(await page.evaluate((id) => document.getElementById(id) !== null, decodeURIComponent(hash.slice(1)))).toBe(
        true,
      );
    });
  });

  describe('the HTML report', () => {
    async function openReport(report: Report, look?: Look): Promise<Page> {
      const file = join(folder, 'report.html');
      writeFileSync(file, html.render(report, { color: false, width: 100, showSkipped: true, quiet: false }));
      const address = pathToFileURL(file).href;
      watched = await watchedPage(browser, address, look);
      await watched.page.goto(address);
      return watched.page;
    }

    const REPORTS: readonly (readonly [string, Report])[] = [
      ['of everything', richReport],
      ['with 60 findings', manyFindings(60)],
      ['with hostile texts', hostileReport],
    ];

    test.each(REPORTS)('%s: has no axe findings and no overflow', async (_name, report) => {
      for (const look of [{}, { dark: true, width: 390 }]) {
        const page = await openReport(report, look);
        await page.$$eval('details', (boxes) => {
          for (const box of boxes) box.open = true;
        });
        expect(await axeFindings(page)).toEqual([]);
        expect(await overflow(page)).toBeLessThanOrEqual(0);
        expect(await page.$$('img, iframe, object, embed, form, link')).toHaveLength(0);
        if (look.dark !== true) await page.close();
      }
    });

    test('has as many elements with 10,000 findings as with 60, and its search finds one of them', async () => {
      const few = await openReport(manyFindings(60));
      const elements = (page: Page): Promise<number> => page.$$eval('*', ({ length }) => length);
      const most = (await elements(few)) + 500;
      await few.close();
      const page = await openReport(manyFindings(10_000));
      expect(await page.$$('#findings article')).toHaveLength(PAGE_SIZE);
      expect(await elements(page)).toBeLessThan(most);
      await page.keyboard.press('/');
      await page.keyboard.type('number 9999');
      await page.waitForFunction(() => document.querySelectorAll('#findings article').length === 1);
      expect(await page.$eval('#findings article h3', ({ textContent }) => textContent)).toBe('finding number 9999');
      await page.keyboard.press('Escape');
      await page.keyboard.press('j');
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('ARTICLE');
      expect(await axeFindings(page)).toEqual([]);
    });
  });
});

/** The focused element, through shadow trees: its id, else its tag and text. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  return element.id || element.tagName + ' ' + element.textContent.slice(0, 30);
})()`;

const VALID_DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop-production }
spec:
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: web:1 }] } }
`;

const OTHER_OVERLAY = `# file: overlays/staging/kustomization.yaml
namespace: shop-staging
resources: [../../base]
replicas: [{ name: storefront, count: 3 }]
`;

const POLICY_OF_REQUEST = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: who
spec:
  matchConstraints:
    resourceRules:
      - apiGroups: ["*"]
        apiVersions: ["*"]
        operations: ["*"]
        resources: ["*"]
  validations:
    - expression: request.userInfo.username == 'jane' && 'admins' in request.userInfo.groups && namespaceObject.metadata.labels.team == 'commerce'
      message: "only jane"
    - expression: ip('10.0.0.1').family() == 4
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: who
spec:
  policyName: who
  validationActions: [Deny]
`;
