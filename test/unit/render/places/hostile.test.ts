// Repositories designed to take long: locations are found, or fall back to the root, with bounded work.
import { describe, expect, test } from 'vitest';
import { chartPlacesOf, kustomizePlacesOf } from '../../../support/places.ts';

const MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {a: b}\n';

describe('hostile input', () => {
  test('templates that include themselves many times', () => {
    const includes = Array.from({ length: 200 }, () => '{{- include "loop" . }}\n').join('');
    const places = chartPlacesOf({
      'shop/templates/_loop.tpl': `{{- define "loop" }}\n${includes}{{- end }}\n`,
      'shop/templates/map.yaml': `${MAP.replace('{a: b}', '\n  a: b')}{{- if false }}\nmore:\n  {{- include "loop" . | nindent 2 }}\n{{- end }}\n`,
    });
    expect(places.place('ConfigMap/map more.below')).toContain('shop/templates/map.yaml');
  });

  test('values with very many equal leaves', () => {
    const values = Array.from({ length: 8000 }, (_, index) => `k${index}: b\n`).join('');
    const places = chartPlacesOf({
      'shop/values.yaml': values,
      'shop/templates/map.yaml': MAP.replace('{a: b}', '\n  a: {{ print .Values.k7 "c" }}'),
    });
    expect(places.place('ConfigMap/map data.a')).toBe('shop/values.yaml:8 k7: «b»');
    expect(places.renderings()).toBe(2);
  });

  test('a JSON patch that sets one field thousands of times', () => {
    const operations = Array.from({ length: 3000 }, (_, index) => `- {op: add, path: /data/a, value: v${index}}\n`);
    const places = kustomizePlacesOf({
      'kustomization.yaml': 'resources: [map.yaml]\npatches: [{target: {kind: ConfigMap}, path: patch.yaml}]\n',
      'map.yaml': MAP,
      'patch.yaml': operations.join(''),
    });
    expect(places.place('ConfigMap/map data.a')).toBe('patch.yaml:3000 - {op: add, path: /data/a, value: «v2999»}');
    expect(places.also('ConfigMap/map data.a').length).toBeLessThan(210);
  });

  test('a name pattern that takes exponential time in backtracking engines', () => {
    const places = kustomizePlacesOf({
      'kustomization.yaml': `resources: [map.yaml]\npatches:\n- target: {kind: ConfigMap, name: "(a+)+b|map"}\n  patch: '[{"op": "add", "path": "/data/c", "value": "d"}]'\n- target: {kind: ConfigMap, name: "(a+)+b"}\n  patch: '[{"op": "add", "path": "/data/c", "value": "d"}]'\n`,
      'map.yaml': MAP.replace('name: map', `name: map, labels: {l: ${'a'.repeat(60)}}`),
    });
    expect(places.place('ConfigMap/map data.c')).toContain('kustomization.yaml:4');
  });
});
