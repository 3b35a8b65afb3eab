// Writes src/policy/kyverno/definition/definitions.generated.json: the schemas of Kyverno's kinds without descriptions, with equal parts shared.
// npx tsx scripts/kyverno-definitions.ts FOLDER, where FOLDER is config/crds of a checkout of kyverno/kyverno.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const FILES: readonly (readonly [folder: string, group: string, resources: readonly string[]])[] = [
  [
    'kyverno',
    'kyverno.io',
    ['clusterpolicies', 'policies', 'policyexceptions', 'cleanuppolicies', 'clustercleanuppolicies'],
  ],
  [
    'policies.kyverno.io',
    'policies.kyverno.io',
    [
      'validatingpolicies',
      'mutatingpolicies',
      'generatingpolicies',
      'deletingpolicies',
      'imagevalidatingpolicies',
      'namespacedvalidatingpolicies',
      'namespacedmutatingpolicies',
      'namespacedgeneratingpolicies',
      'namespaceddeletingpolicies',
      'namespacedimagevalidatingpolicies',
      'policyexceptions',
    ],
  ],
];

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

interface Definition {
  readonly spec: {
    readonly scope: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Json } }[];
  };
}

const parts: Json[] = [];
const known = new Map<string, number>();

/** Replaces large repeated parts by their number. */
function shared(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  const inner = Array.isArray(value)
    ? value.map(shared)
    : Object.fromEntries(
        Object.entries(value)
          .filter(([key, item]) => !(key === 'description' && typeof item === 'string'))
          .map(([key, item]): [string, Json] => [key, shared(item)]),
      );
  const text = JSON.stringify(inner);
  if (text.length < 40) return inner;
  let index = known.get(text);
  if (index === undefined) {
    index = parts.length;
    known.set(text, index);
    parts.push(inner);
  }
  return { $: index };
}

function withoutStatus(schema: Json): Json {
  const { properties, ...rest } = schema as { readonly properties: Record<string, Json> };
  const { status: _, ...kept } = properties;
  return { ...rest, properties: { ...kept, status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } };
}

const [folder = '.'] = process.argv.slice(2);
const kinds: Record<string, { readonly isNamespaced: boolean; readonly schema: Json }> = {};
for (const [directory, group, resources] of FILES) {
  for (const resource of resources) {
    const { spec } = parse(readFileSync(join(folder, directory, `${group}_${resource}.yaml`), 'utf8')) as Definition;
    for (const { name, schema } of spec.versions) {
      kinds[`${group}/${name}/${spec.names.kind}`] = {
        isNamespaced: spec.scope === 'Namespaced',
        schema: shared(withoutStatus(schema.openAPIV3Schema)),
      };
    }
  }
}
const generated = { generatedBy: 'npx tsx scripts/kyverno-definitions.ts FOLDER', kinds, parts };
writeFileSync(
  'src/policy/kyverno/definition/definitions.generated.json',
  `${JSON.stringify(generated, undefined, 1)}\n`,
);
