// In-memory trees and overlays.
import { expect, test } from 'vitest';
import { overlaid } from '../../../../src/render/sources/root/recorded-tree.ts';
import { tree } from '../../../support/render.ts';

const BASE = tree({ 'app/web.yaml': 'one', 'app/db/db.yaml': 'two' }, { 'app/linked.yaml': 'web.yaml' });

test('a tree has the folders of its files', () => {
  expect(['', 'app', 'app/db', 'app/web.yaml', 'app/linked.yaml', 'app/none'].map(BASE.kind)).toEqual([
    'folder',
    'folder',
    'folder',
    'file',
    'link',
    undefined,
  ]);
  expect([...BASE.list('app')].sort()).toEqual(['db', 'linked.yaml', 'web.yaml']);
  expect(BASE.list('app/web.yaml')).toEqual([]);
  expect(new TextDecoder().decode(BASE.read('app/web.yaml'))).toBe('one');
  expect(BASE.target('app/linked.yaml')).toBe('web.yaml');
});

test('an overlay replaces files at the same path and adds names to folders', () => {
  const over = overlaid(
    BASE,
    new Map([
      ['app/web.yaml', 'new'],
      ['made/kustomization.yaml', 'resources: []'],
    ]),
  );
  expect(new TextDecoder().decode(over.read('app/web.yaml'))).toBe('new');
  expect(new TextDecoder().decode(over.read('app/db/db.yaml'))).toBe('two');
  expect([...over.list('app')].sort()).toEqual(['db', 'linked.yaml', 'web.yaml']);
  expect([...over.list('')].sort()).toEqual(['app', 'made']);
  expect(['made', 'app', 'none'].map(over.kind)).toEqual(['folder', 'folder', undefined]);
});
