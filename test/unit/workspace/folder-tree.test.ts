// A folder on disk as a tree: links are reported, nothing outside is reached, and `.git` is hidden.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderTree } from '../../../src/workspace/render/folder-tree.ts';
import { CHANCE, engine, failureOf, textsOf } from '../../support/render.ts';

function folder(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'preadmit-tree-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'repository/.git'), { recursive: true });
  mkdirSync(join(root, 'repository/app'));
  writeFileSync(join(root, 'secret.yaml'), 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: secret\n');
  writeFileSync(join(root, 'repository/.git/config'), 'secret');
  writeFileSync(
    join(root, 'repository/app/settings.yaml'),
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n',
  );
  symlinkSync('settings.yaml', join(root, 'repository/app/linked.yaml'));
  symlinkSync('../../secret.yaml', join(root, 'repository/app/climbing.yaml'));
  symlinkSync(join(root, 'secret.yaml'), join(root, 'repository/app/absolute.yaml'));
  return root;
}

function render(root: string, resource: string) {
  writeFileSync(join(root, 'repository/app/kustomization.yaml'), `resources: [${resource}]\n`);
  const request = { engine: 'kustomize', root: 'app', anyFile: true } as const;
  return engine().render(request, folderTree(join(root, 'repository')), CHANCE);
}

test('lists the entries of a folder', () => {
  const tree = folderTree(join(folder(), 'repository'));
  expect(tree.list('')).toEqual(['app']);
  expect([...tree.list('app')].sort()).toEqual(['absolute.yaml', 'climbing.yaml', 'linked.yaml', 'settings.yaml']);
  expect(['', 'app', 'app/settings.yaml', 'app/linked.yaml', 'app/none', '.git', '.git/config'].map(tree.kind)).toEqual(
    ['folder', 'folder', 'file', 'link', undefined, undefined, undefined],
  );
  expect(tree.target('app/linked.yaml')).toBe('settings.yaml');
  expect(tree.read('app/linked.yaml')).toBeUndefined();
});

test('a link to a file inside the folder is followed, and a link to the outside is not', () => {
  const root = folder();
  expect(textsOf(render(root, 'linked.yaml'))).toHaveLength(1);
  for (const resource of ['climbing.yaml', 'absolute.yaml', '../../secret.yaml', '../.git/config']) {
    expect(failureOf(render(root, resource)), resource).toMatchObject({ failure: 'missing-file' });
  }
});
