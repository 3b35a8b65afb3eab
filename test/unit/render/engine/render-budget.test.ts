// A budget ends renderings of a run; what was rendered before stays.
import { expect, test } from 'vitest';
import { RenderBudget } from '../../../../src/render/engine/render-budget.ts';
import { ENGINE_LIMITS } from '../../../../src/render/engine/render-engine.ts';
import { loadEngine } from '../../../../src/workspace/render/load-engine.ts';
import { CHANCE, tree } from '../../../support/render.ts';

const FILES = tree({
  'kustomization.yaml': 'resources: [map.yaml]\n',
  'map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
});
const REQUEST = { engine: 'kustomize', root: '', anyFile: true } as const;

test('renders until the budget is spent', () => {
  const budget = new RenderBudget(60_000);
  const engine = loadEngine(ENGINE_LIMITS, { budget });
  expect(engine.render(REQUEST, FILES, CHANCE)).toHaveProperty('objects');
  expect(budget.left).toBeLessThan(60_000);
  budget.spend(60_000);
  expect(engine.render(REQUEST, FILES, CHANCE)).toEqual({
    failure: 'budget',
    message: 'the processor time for rendering in one run is spent',
    warnings: [],
  });
});

test('stops a rendering that would take more than is left', () => {
  const engine = loadEngine(ENGINE_LIMITS, { budget: new RenderBudget(300) });
  const chart = tree({
    'shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'shop/templates/a.yaml': '{{ range $i := 1000000000 }}{{ end }}',
  });
  const request = { engine: 'helm', chart: 'shop', releaseName: 'blue', namespace: 'market' } as const;
  expect(engine.render(request, chart, CHANCE)).toMatchObject({ failure: 'budget' });
});

test('is shared by all that use its cell', () => {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const [one, other] = [new RenderBudget(1000, cell), new RenderBudget(1000, cell)];
  one.spend(999.5);
  expect(other.left).toBeCloseTo(0.5);
});
