// Single values of a HelmRelease between other values, compared with fluxcd/pkg/chartutil 1.27.2.
import { expect, test } from 'vitest';
import { fluxHelmRelease } from '../../../src/render/flux/flux-helm-release.ts';
import { objectsOf, renderedRepository } from '../../support/rendered-repository.ts';

const NAME = 'HelmRelease flux-system/shop';
const CHART = {
  'charts/shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'charts/shop/templates/values.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: values}\ndata:\n  values: {{ .Values | toJson | quote }}\n',
};
const DATA = {
  one: { 'values.yaml': 'image: {tag: one, name: one}\n', text: 'set', number: '5', list: '{p,q}', commas: 'x,y=z' },
  two: { 'values.yaml': 'image: {tag: two}\nhosts: [two]\ndeep: {x: {low: two}}\n' },
};

type Reference = Readonly<Record<string, unknown>>;

/** Returns the values passed to the chart. */
function given(values: unknown, references: readonly Reference[]): unknown {
  const object = (kind: string, name: string, more: object): string =>
    JSON.stringify({ kind, metadata: { name, namespace: 'flux-system' }, ...more });
  const chart = { spec: { chart: './charts/shop', sourceRef: { kind: 'GitRepository', name: 'flux-system' } } };
  const valuesFrom = references.map((reference) => ({ kind: 'ConfigMap', ...reference }));
  const sources = renderedRepository(
    {
      ...CHART,
      'release.json': object('HelmRelease', 'shop', {
        apiVersion: 'helm.toolkit.fluxcd.io/v2',
        spec: { chart, values, valuesFrom },
      }),
      'one.json': object('ConfigMap', 'one', { apiVersion: 'v1', data: DATA.one }),
      'two.json': object('ConfigMap', 'two', { apiVersion: 'v1', data: DATA.two }),
    },
    [fluxHelmRelease({})],
  );
  const [{ data } = {}] = objectsOf(sources, NAME);
  return JSON.parse(String((data as { readonly values?: string }).values));
}

const at = (targetPath: string, valuesKey = 'text'): Reference => ({ name: 'one', valuesKey, targetPath });
const ONE = { name: 'one' };
const TWO = { name: 'two' };
const OF_TWO = { hosts: ['two'], deep: { x: { low: 'two' } } };

test.each<readonly [string, unknown, readonly Reference[], unknown]>([
  [
    'is written into maps that only the release has',
    { image: { tag: 'own' } },
    [at('image.tag')],
    { image: { tag: 'set' } },
  ],
  ['is lost at the top', { town: 'own' }, [at('town')], { town: 'own' }],
  [
    'is lost in a map that others define first',
    { image: { tag: 'own' } },
    [TWO, at('image.tag')],
    { ...OF_TWO, image: { tag: 'own' } },
  ],
  ['is lost under later values', {}, [at('image.tag'), TWO], { ...OF_TWO, image: { tag: 'two' } }],
  [
    'overrides later values in maps of the release',
    { image: { tag: 'own' } },
    [at('image.tag'), TWO],
    { ...OF_TWO, image: { tag: 'set' } },
  ],
  [
    'is lost after another value written into the release',
    { image: { tag: 'own', name: 'own' } },
    [at('image.tag'), at('image.name')],
    { image: { tag: 'set', name: 'own' } },
  ],
  [
    'is lost if the path is already set',
    { image: {} },
    [at('image.tag'), at('image.tag', 'number')],
    { image: { tag: 'set' } },
  ],
  [
    'is written into a deeper map that only the release has',
    { deep: { z: { low: 'own' } } },
    [TWO, at('deep.z.low')],
    { image: { tag: 'two' }, hosts: ['two'], deep: { x: { low: 'two' }, z: { low: 'set' } } },
  ],
  ['is written into lists of the release', { hosts: ['own'] }, [at('hosts[0]')], { hosts: ['set'] }],
  ['is lost with a list that is replaced', {}, [at('hosts[0]'), TWO], { ...OF_TWO, image: { tag: 'two' } }],
  ['has a dot in its name', { 'a.b': { c: 1 } }, [at('a\\.b.c')], { 'a.b': { c: 'set' } }],
  [
    'is parsed as an option of Helm',
    {},
    [at('n', 'number'), at('l', 'list'), at('c', 'commas')],
    { n: 5, l: ['p', 'q'], c: 'x', y: 'z' },
  ],
  ['is literal if configured', {}, [{ ...at('c', 'commas'), literal: true }], { c: 'x,y=z' }],
  ['overrides earlier values', {}, [ONE, at('image.tag')], { image: { tag: 'set', name: 'one' } }],
])('a single value %s', (_, values, references, expected) => {
  expect(given(values, references)).toEqual(expected);
});
