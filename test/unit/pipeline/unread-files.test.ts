// A change to content that is not read: too large at base already, a submodule that a controller applies.
import { expect, it } from 'vitest';
import { compareStates } from '../../../src/pipeline/compare-states.ts';
import { defaultConfiguration } from '../../../src/settings/configuration.ts';
import { engine } from '../../support/render.ts';
import { type Contents, statesInGit } from '../../support/states-in-git.ts';

function messages(base: Contents, head: Contents): readonly string[] {
  const report = compareStates({
    ...statesInGit(base, head),
    engine,
    names: { base: 'base', head: 'head' },
    configuration: defaultConfiguration(),
    policiesFrom: 'base',
    only: 'new',
  });
  return report.diagnostics.map(({ message }) => message);
}

const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: shop\n';
const large = `${object}data:\n  text: ${'x'.repeat(5 * 1024 * 1024)}\n`;
const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: apps
  namespace: argocd
spec:
  project: default
  source: {repoURL: "https://git.shop.example/platform.git", path: apps, directory: {recurse: true}}
  destination: {server: "https://kubernetes.default.svc", namespace: shop}
`;

it('an object in a file that was too large before', () => {
  const base = new Map([['a.yaml', large]]);
  expect(messages(base, base)).toEqual([]);
  expect(messages(base, new Map([['a.yaml', `${large}---\n${object}`]]))).toEqual([
    'the changed content of a file named like a manifest is new and not evaluated: larger than 5 MiB',
  ]);
});

it('a link to a manifest with another name, and a change of this manifest', () => {
  const linked = (text: string, target = 'a.txt'): Contents =>
    new Map<string, string | { readonly link: string }>([
      ['apps/a.txt', text],
      ['apps/b.yaml', object],
      ['apps/a.yaml', { link: target }],
    ]);
  const unread =
    '`apps/a.yaml` was not read, so what it applies is not judged: a symbolic link to a manifest that is not read under its own name';
  const said =
    'the changed content of a file named like a manifest is new and not evaluated: a symbolic link, which Preadmit does not follow';
  expect(messages(linked(object, 'b.yaml'), linked(object))).toEqual([said, unread]);
  expect(messages(linked(object), linked(`${object}data: {a: b}\n`))).toEqual([said]);
  expect(messages(linked(object, 'b.yaml'), linked('notes', 'b.yaml'))).toEqual([]);
});

it('a submodule in a folder that Argo CD applies', () => {
  const base = new Map([
    ['app.yaml', application],
    ['apps/a.yaml', object],
  ]);
  const at = (path: string, commit: string): Contents =>
    new Map<string, string | { readonly submodule: string }>([...base, [path, { submodule: commit }]]);
  const said =
    'what a controller applies from here is new and not evaluated: a Git submodule, which belongs to another repository';
  const unread =
    '`apps/more` was not read, so what it applies is not judged: a Git submodule in a folder that a controller applies';
  expect(messages(base, at('apps/more', '1'))).toEqual([said, unread]);
  expect(messages(at('apps/more', '1'), at('apps/more', '2'))).toEqual([said]);
  const unchanged = at('apps/more', '1');
  expect(messages(unchanged, unchanged)).toEqual([]);
  expect(messages(base, at('docs', '1'))).toEqual([]);
});
