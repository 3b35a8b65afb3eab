// The HTML report: no text of a Report becomes markup, and all functions of the page work.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { html } from '../../src/report/format/html/html.ts';
import { PAGE_SIZE } from '../../src/report/format/html/page-elements.ts';
import { PAGE_SCRIPT } from '../../src/report/format/html/page-script.ts';
import { PAGE_STYLE } from '../../src/report/format/html/page-style.ts';
import type { Report } from '../../src/report/report.ts';
import { hostileText } from '../support/hostile-text.ts';
import { openPage, type Page, skeleton } from '../support/html.ts';
import { tries } from '../support/tries.ts';
import {
  cleanReport,
  emptyReport,
  HOSTILE_TEXTS,
  hostileReport,
  manyFindings,
  mapTexts,
  richReport,
} from './rich-report.ts';

const render = (report: Report): string =>
  html.render(report, { color: false, width: 100, showSkipped: true, quiet: false });
const open = (report: Report): Page => openPage(render(report), { scripts: true });

const comparedReport: Report = {
  ...richReport,
  verdict: { ...richReport.verdict, only: 'new' },
  comparison: {
    base: 'a'.repeat(40),
    head: 'b'.repeat(40),
    policiesFrom: 'base',
    scope: 'changes',
    changedFiles: ['clusters/prod/web.yaml'],
    objects: { created: 0, updated: 1, deleted: 0, unchanged: 0 },
    fixed: richReport.findings.slice(0, 1),
    notices: ['a notice'],
  },
  blastRadius: {
    causes: [{ resource: { apiVersion: 'v1', kind: 'ConfigMap', name: 'limits' }, change: 'updated', path: 'p.yaml' }],
    denied: 1,
    allowed: 0,
    warned: 0,
    stricter: 0,
    worse: 1,
    entries: [
      {
        target: 'prod',
        resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api' },
        before: 'allowed',
        after: 'denied',
        added: 1,
        removed: 0,
        policies: ['replica-limit'],
        message: 'at most 5 replicas',
        primary: { path: 'apps/api.yaml', startLine: 3, startColumn: 1, endLine: 3, endColumn: 2 },
      },
    ],
  },
};

const articles = ({ document }: Page): readonly string[] =>
  [...document.querySelectorAll('#findings article h3')].map(({ textContent }) => textContent);

const reports: readonly (readonly [string, Report])[] = [
  ['rich', richReport],
  ['clean', cleanReport],
  ['empty', emptyReport],
  ['hostile', hostileReport],
  ['compared', comparedReport],
  ['hostile and compared', mapTexts(comparedReport, HOSTILE_TEXTS)],
];

describe('the static page', () => {
  const expected = skeleton(openPage(render(cleanReport), { scripts: false }).document.querySelector('html') as never);

  test.each(reports)('%s has the elements of every other', (_name, report) => {
    const { document } = openPage(render(report), { scripts: false });
    expect(skeleton(document.querySelector('html') as never)).toEqual(expected);
  });

  test('no text creates an element', () => {
    const report = fc
      .array(hostileText, { minLength: 8, maxLength: 24 })
      .map((texts) =>
        mapTexts(comparedReport, [...texts, '</script><script>alert(1)</script>', '<!--<script>', ']]>']),
      );
    fc.assert(
      fc.property(report, (each) => {
        const { document } = openPage(render(each), { scripts: false });
        expect(skeleton(document.querySelector('html') as never)).toEqual(expected);
      }),
      tries(25, 20261121),
    );
  });

  test('the policy allows its own script and style, and nothing else', () => {
    const text = render(hostileReport);
    const { document } = openPage(text, { scripts: false });
    const policy = document.querySelector('meta[http-equiv=Content-Security-Policy]')?.getAttribute('content') ?? '';
    const digest = (of: string): string => `'sha256-${createHash('sha256').update(of).digest('base64')}'`;
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${digest(document.querySelector('script:not([type])')?.textContent ?? '')}`,
      `style-src ${digest(document.querySelector('style')?.textContent ?? '')}`,
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(document.querySelectorAll('[src], [style], link, iframe, object, form, base')).toHaveLength(0);
  });

  test('the script creates no markup, code or requests from texts', () => {
    expect(PAGE_SCRIPT).not.toMatch(
      /\b(?:innerHTML|outerHTML|insertAdjacent\w+|document\.write|eval|Function\(|setTimeout|fetch|XMLHttp\w+|import|srcdoc|location|cookie|\w+Storage)\b/,
    );
    expect(PAGE_STYLE).not.toMatch(/url\(|@import|expression/);
  });
});

describe.each(reports)('opened: %s', (_name, report) => {
  const page = open(report);
  const { document } = page;

  test('causes no error', () => expect(page.problems).toEqual([]));

  test('has only elements and attributes of its own', () => {
    const allowed =
      /^(?:class|id|for|type|role|href|scope|tabindex|autocomplete|spellcheck|aria-(?:label|labelledby|pressed)|disabled)$/;
    for (const element of document.body.querySelectorAll('*')) {
      expect(['IMG', 'IFRAME', 'FORM', 'STYLE', 'OBJECT', 'SVG']).not.toContain(element.tagName.toUpperCase());
      for (const { name, value } of element.attributes) {
        expect(name).toMatch(allowed);
        if (name === 'href') expect(value).toMatch(/^#[a-z-]+$/);
      }
    }
    expect(document.querySelectorAll('script')).toHaveLength(2);
  });

  test('names its regions, controls and tables', () => {
    for (const selector of ['header', 'main', 'footer', 'nav', 'h1'])
      expect(document.querySelectorAll(selector)).toHaveLength(1);
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const input of document.querySelectorAll('input')) {
      expect(document.querySelector(`label[for=${input.id}]`)?.textContent).not.toBe('');
    }
    for (const button of document.querySelectorAll('button')) expect(button.textContent).not.toBe('');
    for (const link of document.querySelectorAll('nav a')) {
      expect(document.querySelector(link.getAttribute('href') ?? '')).not.toBeNull();
    }
    const levels = [...document.querySelectorAll('h1, h2, h3')].map(({ tagName }) => Number(tagName.slice(1)));
    for (const [index, level] of levels.entries()) expect(level).toBeLessThanOrEqual((levels[index - 1] ?? 0) + 1);
  });
});

describe('content', () => {
  const { document } = open(comparedReport);
  const text = document.body.textContent;

  test('shows a finding: message, object, line, code, expression, location of the rule', () => {
    const [first] = [...document.querySelectorAll('article')].filter(({ textContent }) =>
      textContent.includes('12 asked for'),
    );
    for (const words of [
      'at most 5 replicas are allowed, 12 asked for',
      'Deployment shop/web',
      'clusters/prod/web.yaml:12',
      '> 12 |   replicas: 12',
      'object.spec.replicas <= int(params.data.maxReplicas)',
      'policies/replica-limit.yaml:14',
      'ConfigMap policy/limits',
      'denied request',
    ]) {
      expect(first?.textContent).toContain(words);
    }
  });

  test('shows the run: coverage, skipped documents with reasons, blast radius, comparison', () => {
    for (const words of [
      '9 files, 21 documents found, 17 evaluated, 4 not evaluated',
      'values are encrypted with SOPS',
      'clusters/prod/typo.yaml:8',
      'line 9: found character that cannot start any token',
      '1 becomes denied',
      'apps/api.yaml:3',
      'the verdict uses the policies before the change (aaaaaaaaaa)',
      'a notice',
      'Namespace shop is not in the repository',
      'With the candidate policies: 1 becomes denied, 2 get further findings, 1 becomes undecided.',
      'source `central` (v2.0.0, commit 0123abc): replaces the current source of this name',
      'Kubernetes 1.37newly refusedupdate one Pod at a timeone-by-one/validations[0]7 places',
    ]) {
      expect(text).toContain(words);
    }
  });

  test('shows every text of a hostile report as text', () => {
    const hostile = open(hostileReport);
    expect(hostile.document.body.textContent).toContain(']]>');
    expect(hostile.document.body.textContent).toContain('<script>alert(1)</script><img src=x onerror=alert(1)>');
  });
});

describe('with ten thousand findings', () => {
  const page = open(manyFindings(10_000));
  const { document, event } = page;
  const type = (words: string): void => {
    const search = document.querySelector('#search') as NonNullable<ReturnType<typeof document.querySelector>>;
    search.value = words;
    search.dispatchEvent(event('input'));
  };
  const press = (key: string): void => document.activeElement.dispatchEvent(event('keydown', { key }));
  const status = (): string => document.querySelector('#findings [role=status]')?.textContent ?? '';
  const button = (name: string) =>
    [...document.querySelectorAll('#findings button')].find(({ textContent }) => textContent.startsWith(name));

  test('shows one page of them', () => {
    expect(articles(page)).toHaveLength(PAGE_SIZE);
    expect(status()).toBe('entries 1 to 50 of 10000');
    button('Next')?.click();
    expect(articles(page)[0]).toBe('finding number 50');
    button('Previous')?.click();
    expect(articles(page)[0]).toBe('finding number 0');
  });

  test('finds one by search', () => {
    type('number 9999');
    expect(articles(page)).toEqual(['finding number 9999']);
    type('NUMBER 9999 policy-3 apps/99');
    expect(articles(page)).toEqual(['finding number 9999']);
    type('nothing of the kind');
    expect(status()).toBe('no entries');
    button('Show all')?.click();
    expect(status()).toContain('of 10000');
  });

  test('filters by policy, and removes the filter', () => {
    button('policy-3')?.click();
    expect(status()).toContain('of 1429');
    expect(button('policy-3')?.getAttribute('aria-pressed')).toBe('true');
    button('policy-3')?.click();
    expect(status()).toContain('of 10000');
  });

  test('is usable by keyboard', () => {
    press('j');
    press('j');
    expect(document.activeElement.querySelector('h3')?.textContent).toBe('finding number 1');
    press('k');
    expect(document.activeElement.querySelector('h3')?.textContent).toBe('finding number 0');
    press('/');
    expect(document.activeElement.id).toBe('search');
    press('j');
    expect(document.activeElement.id).toBe('search');
    press('Escape');
    expect(document.activeElement.id).not.toBe('search');
  });

  test('stays small enough to send by mail', () => {
    expect(render(manyFindings(10_000)).length).toBeLessThan(12_000_000);
  });
});

describe('colours', () => {
  const [light = '', dark = ''] = [...PAGE_STYLE.matchAll(/:root \{([^}]*)\}/g)].map(([, body]) => body);

  test.each([
    ['light', light],
    ['dark', dark],
  ])('%s: every text has the contrast of WCAG AA', (_name, body) => {
    const colours = new Map([...body.matchAll(/--(\w+): (#\w{6})/g)].map(([, name = '', value = '']) => [name, value]));
    for (const name of ['text', 'muted', 'error', 'warning', 'notice', 'good', 'link']) {
      for (const ground of ['ground', 'raised']) {
        expect(contrast(colours.get(name) ?? '', colours.get(ground) ?? '')).toBeGreaterThanOrEqual(4.5);
      }
    }
    expect(contrast(colours.get('text') ?? '', colours.get('mark') ?? '')).toBeGreaterThanOrEqual(4.5);
  });
});

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
