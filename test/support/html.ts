// Parses an HTML page like a browser, with or without running its scripts. jsdom's types are in a separate package, so the used part is
// declared here.
import { createRequire } from 'node:module';

export interface PageElement {
  readonly tagName: string;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
  readonly textContent: string;
  readonly children: Iterable<PageElement>;
  readonly id: string;
  value: string;
  checked: boolean;
  readonly disabled: boolean;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  getAttribute(name: string): string | null;
  click(): void;
  dispatchEvent(event: unknown): void;
}

export interface Page {
  readonly document: PageElement & {
    readonly activeElement: PageElement;
    readonly title: string;
    readonly body: PageElement;
  };
  /** Messages of the page's errors and warnings. */
  readonly problems: readonly string[];
  /** Dispatches an event that bubbles. */
  readonly event: (type: string, fields?: Readonly<Record<string, unknown>>) => unknown;
}

interface Dom {
  readonly JSDOM: new (text: string, options: object) => { readonly window: Record<string, unknown> };
  readonly VirtualConsole: new () => { on(event: string, listener: (told: unknown) => void): void };
}

const { JSDOM, VirtualConsole } = createRequire(import.meta.url)('jsdom') as Dom;

export function openPage(text: string, { scripts }: { readonly scripts: boolean }): Page {
  const problems: string[] = [];
  const console = new VirtualConsole();
  for (const event of ['jsdomError', 'error', 'warn']) console.on(event, (told) => problems.push(String(told)));
  const { window } = new JSDOM(text, {
    ...(scripts && { runScripts: 'dangerously' }),
    virtualConsole: console,
    url: 'file:///report.html',
  });
  const KeyboardEvent = window['KeyboardEvent'] as new (type: string, options: object) => unknown;
  return {
    document: window['document'] as Page['document'],
    problems,
    event: (type, fields = {}) => new KeyboardEvent(type, { bubbles: true, cancelable: true, ...fields }),
  };
}

/** Elements with the names of their attributes, in order, without texts. */
export function skeleton(element: PageElement): readonly string[] {
  const own = `${element.tagName}[${[...element.attributes].map(({ name }) => name).join(' ')}]`;
  return [own, ...[...element.children].flatMap((child) => skeleton(child))];
}
