// Helm in the sandbox: release, values, capabilities, dependencies, hooks, random values.
import { describe, expect, test } from 'vitest';
import { chart, engine, failureOf, textsOf, tree } from '../../support/render.ts';

function template(text: string): Readonly<Record<string, string>> {
  return { 'shop/templates/settings.yaml': text };
}

describe('Helm', () => {
  test('passes release, values and capabilities to templates', () => {
    const files = {
      ...template(
        'release: {{ .Release.Name }}/{{ .Release.Namespace }}/{{ .Release.IsInstall }}\nsize: {{ .Values.size }}\nmode: {{ .Values.mode }}\nkube: {{ .Capabilities.KubeVersion.Minor }}\napps: {{ .Capabilities.APIVersions.Has "apps/v1" }}\nmine: {{ .Capabilities.APIVersions.Has "example.com/v1" }}\n',
      ),
      'shop/values.yaml': 'size: 1\nmode: calm\nplain: true\n',
      'values/production.yaml': 'size: 2\n',
    };
    const request = {
      valuesFiles: ['values/production.yaml'],
      values: ['mode: loud\n'],
      kubernetesVersion: '1.36.0',
      apiVersions: ['example.com/v1'],
    };
    expect(textsOf(chart(files, request))).toEqual([
      'release: blue/market/true\nsize: 2\nmode: loud\nkube: 36\napps: true\nmine: true',
    ]);
    expect(textsOf(chart(files, { ...request, set: [{ as: 'value', text: 'size=7' }] }))[0]).toContain('size: 7');
  });

  test('reports the template of every object, with CRDs first and hooks last', () => {
    const object = (kind: string, hook = '') =>
      `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: a\n${hook}---\n# nothing but words\n`;
    const files = {
      'shop/templates/b.yaml': object('ConfigMap'),
      'shop/templates/a.yaml': object('Pod', '  annotations: {helm.sh/hook: test}\n'),
      'shop/charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
      'shop/charts/db/templates/n.yaml': object('Namespace'),
      'shop/crds/two.yaml': '---\nkind: One\n---\nkind: Two\n',
    };
    const outcome = chart(files, { includeCrds: true });
    expect(
      'objects' in outcome &&
        outcome.objects.map(({ template: name, hook, text }) => [name, hook, /kind: (\w+)/.exec(text)?.[1]]),
    ).toEqual([
      ['shop/crds/two.yaml', undefined, 'One'],
      ['shop/crds/two.yaml', undefined, 'Two'],
      ['shop/charts/db/templates/n.yaml', undefined, 'Namespace'],
      ['shop/templates/b.yaml', undefined, 'ConfigMap'],
      ['shop/templates/a.yaml', true, 'Pod'],
    ]);
    expect(textsOf(chart(files, { skipTests: true }))).toHaveLength(2);
  });

  test('generates equal values for equal seed and time, independent of earlier renderings', () => {
    const files = template(
      'name: {{ randAlphaNum 12 }}\nnumber: {{ randInt 1 100000 }}\nday: {{ now | date "2006-01-02" }}\n',
    );
    const render = (seed: number) =>
      textsOf(
        engine().render(
          { engine: 'helm', chart: 'shop', releaseName: 'blue', namespace: 'market' },
          tree({ 'shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n', ...files }),
          { seed, now: Date.UTC(2026, 10, 22) },
        ),
      )[0];
    const [first, other, again] = [render(1), render(2), render(1)];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(first).toMatch(/^name: \w{12}\nnumber: \d+\nday: 2026-11-22$/);
  });

  test('finds no objects with lookup', () => {
    expect(
      textsOf(
        chart(
          template('found: {{ lookup "v1" "Secret" "" "" | len }}\nhost: {{ getHostByName "example.com" | quote }}\n'),
        ),
      ),
    ).toEqual(['found: 0\nhost: ""']);
  });

  test.each([
    ['required-value', template('{{ required "a size is needed" .Values.size }}'), 'a size is needed'],
    ['template', template('{{ include "absent" . }}'), 'no template "absent"'],
    ['unparsable', template('a: [\n'), 'YAML parse error on shop/templates/settings.yaml'],
    [
      'library-chart',
      { 'shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\ntype: library\n' },
      'library charts are not installable',
    ],
    [
      'missing-dependency',
      {
        'shop/Chart.yaml':
          'apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies: [{name: db, version: 1.0.0, repository: ""}]\n',
      },
      'missing in charts/ directory: db',
    ],
    [
      'values-schema',
      { 'shop/values.schema.json': '{"properties": {"size": {"type": "number"}}}', 'shop/values.yaml': 'size: big\n' },
      "at '/size': got string, want number",
    ],
  ])("fails with Helm's message: %s", (failure, files, words) => {
    expect(failureOf(chart(files))).toEqual({ failure, message: expect.stringContaining(words) });
  });
});
