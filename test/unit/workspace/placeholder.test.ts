// Detection of placeholders, and texts that only resemble placeholders.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the tests need such placeholders
import { describe, expect, it } from 'vitest';
import { chainsawExpression, isTemplateAt, structuralPlaceholder } from '../../../src/inventory/placeholder.ts';
import type { JsonObject } from '../../../src/source/json/json.ts';
import { readManifests } from '../../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../../src/source/text/source-file.ts';

function read(text: string): JsonObject {
  return readManifests(new SourceFile('a.yaml', text)).manifests[0]?.value as JsonObject;
}

describe('structuralPlaceholder', () => {
  it.each([
    ['kind: ${KIND}', '${KIND}'],
    ['apiVersion: "${GROUP}/v1"', '${GROUP}'],
    ['metadata: { name: "a-${b:-c}-d" }', '${b:-c}'],
    ['metadata: { generateName: "${a,,}" }', '${a,,}'],
    ['metadata: { namespace: "${a/b/c}" }', '${a/b/c}'],
    ['metadata: { labels: { "${a}": b } }', undefined],
    ['metadata: { annotations: { "{{ a }}": b } }', '{{ a }}'],
    ['spec: { "${a}": b }', '${a}'],
    ['"{{a}}": b', '{{a}}'],
    ['metadata: { labels: { a: "${b}" } }', undefined],
    ['spec: { a: { "${b}": c } }', undefined],
    ['data: { a: "${b}" }', undefined],
    ['metadata: { name: "$${a}" }', undefined],
    ['metadata: { name: "$a ${} ${1} ${a b} ${a $() $(1)" }', undefined],
    ['metadata: { name: "a-$(b)" }', '$(b)'],
    ['metadata: { namespace: "<YOUR NAMESPACE>" }', '<YOUR NAMESPACE>'],
    ['metadata: { name: "FILLED BY THE OPERATOR" }', 'FILLED BY THE OPERATOR'],
    ['metadata: { name: "UPPER" }', undefined],
    ['metadata: { name: "a < b > c" }', undefined],
    ['metadata: { annotations: { "$(a)": b } }', undefined],
    ['metadata: { name: "{{ a" }', undefined],
    ['metadata: a', undefined],
    ['metadata: { name: "${a}", annotations: { kustomize.toolkit.fluxcd.io/substitute: disabled } }', undefined],
    ['metadata: { name: "${a}", labels: { kustomize.toolkit.fluxcd.io/substitute: disabled } }', undefined],
  ])('%s', (text, expected) => {
    expect(structuralPlaceholder(read(text))).toBe(expected);
  });
});

describe('chainsawExpression', () => {
  it.each([
    ['metadata: { name: "($namespace)" }', '($namespace)'],
    ['metadata: { namespace: "(join(\'-\', [$a, $b]))" }', "(join('-', [$a, $b]))"],
    ['metadata: { name: "a(b)" }', undefined],
  ])('%s', (text, expected) => {
    expect(chainsawExpression(read(text))).toBe(expected);
  });
});

describe('isTemplateAt', () => {
  it.each([
    ['a: {{ b }}\n', 0, true],
    ['- {{ b }}\n', 0, true],
    ['{{- if a }}\nb: c\n', 13, true],
    ['  {% if a %}\nb: c\n', 14, true],
    ['a: text {{ b }}\n', 0, false],
    ['a: "{{ b }}"\n', 0, false],
    ['a: { b: c }\n', 0, false],
    ['http:{{ b }}\n', 0, false],
    ['a:\n  <ISSUER_ANNOTATIONS>\n  b: c\n', 5, true],
    ['a:\n  <ISSUER_1>: b\n', 5, false],
    ['a: <details>\n<b>\n', 5, false],
    ['a: {{ b }}\n1\n2\n3\n4\n5: [\n', 19, false],
  ])('%j at %i', (text, offset, expected) => {
    expect(isTemplateAt(text, offset)).toBe(expected);
  });
});
