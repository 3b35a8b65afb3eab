// The names of combined diagnostics, without the words that all of them have.
import { expect, test } from 'vitest';
import { alikeWords } from '../../../../src/report/folded/alike.ts';
import type { Place } from '../../../../src/report/report.ts';

const placeAt = (path: string): Place => ({ path, startLine: 4, startColumn: 1, endLine: 4, endColumn: 5 });

function named(messages: readonly string[], path = 'apps/b.yaml'): string {
  const [message = '', ...others] = messages;
  return alikeWords({
    code: 'not-rendered',
    severity: 'warning',
    message: `${message} (and ${others.length} more like it)`,
    primary: placeAt('apps/a.yaml'),
    related: others.map((text) => ({ message: text, place: placeAt(path) })),
    count: messages.length,
  });
}

test('are the differing words, with the location in another file', () => {
  const messages = ['a', 'b', 'c', 'd', 'e'].map((name) => `HelmRelease shop/${name} cannot be rendered`);
  expect(named(messages)).toBe(
    'the same for shop/b (apps/b.yaml:4), shop/c (apps/b.yaml:4), shop/d (apps/b.yaml:4) and 1 more',
  );
  expect(named(messages.slice(0, 2), 'apps/a.yaml')).toBe('the same for shop/b');
});

test('end where the messages agree again', () => {
  const release = (name: string, chart: string): string =>
    `HelmRelease shop/${name} cannot be rendered, so its objects are unknown: chart ${chart} is not in the repository`;
  expect(named([release('web', 'web of https://charts.example'), release('base', 'base 1.19.3')], 'apps/a.yaml')).toBe(
    'the same for shop/base',
  );
  const selector = (policy: string, label: string): string =>
    `Namespace shop is not in the repository: whether policy ${policy} applies there depends on ${label}`;
  expect(named([selector('team', 'team'), selector('size', 'size, zone')], 'apps/a.yaml')).toBe('the same for size');
});

test('are the location for an equal message', () => {
  expect(named(['not in the repository', 'not in the repository'])).toBe('the same for apps/b.yaml:4');
});
