// Objects besides those of requests that Kyverno's policies may read, found in their text.
import { describe, expect, it } from 'vitest';
import { resourcesOf } from '../../../../src/kubernetes/api/resource.ts';
import { languagesOf } from '../../../../src/pipeline/state/languages.ts';
import { RuleResources } from '../../../../src/pipeline/state/rule-resources.ts';
import { resolveConfiguration } from '../../../../src/settings/configuration.ts';
import { readManifests } from '../../../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../../../src/source/text/source-file.ts';
import type { Json } from '../../../support/review.ts';

function resources(...objects: readonly Json[]) {
  return objects
    .flatMap((object, index) => readManifests(new SourceFile(`${index}.json`, JSON.stringify(object))).manifests)
    .flatMap(resourcesOf)
    .flatMap((result) => ('resource' in result ? [result.resource] : []));
}

function cel(...expressions: readonly string[]): Json {
  return {
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'ValidatingPolicy',
    metadata: { name: 'p' },
    spec: { validations: expressions.map((expression) => ({ expression })) },
  };
}

const CONTEXT = {
  apiVersion: 'kyverno.io/v1',
  kind: 'ClusterPolicy',
  metadata: { name: 'c' },
  spec: { rules: [{ name: 'r', context: [{ name: 'x', configMap: { name: 'hosts', namespace: 'shop' } }] }] },
};

/** Of these objects, those that the policies may read. */
function rules(policies: readonly Json[]): readonly string[] {
  const [language] = languagesOf(resolveConfiguration({}).targets[0] as never).filter(({ name }) => name === 'Kyverno');
  const known = new RuleResources(language === undefined ? [] : [language], resources(...policies));
  const objects = ['ConfigMap allowed', 'ConfigMap hosts', 'ConfigMap other', 'Secret allowed'].map((text) => {
    const [kind, name] = text.split(' ');
    return { apiVersion: 'v1', kind, metadata: { name, namespace: 'shop' } };
  });
  return resources(...objects)
    .filter((resource) => known.isRule(resource))
    .map(({ gvk, name }) => `${gvk.kind} ${name}`);
}

describe('policies read', () => {
  const lookup = 'resource.Get("v1", "configmaps", "shop", "allowed").data.a == "b"';

  it.each<readonly [string, readonly Json[], readonly string[]]>([
    ['nothing else', [cel('object.a == 1')], []],
    ['the object that a lookup names', [cel(lookup)], ['ConfigMap allowed']],
    [
      'the objects that lookups name, in either quote style',
      [cel(lookup, "resource.get('v1', 'configmaps', 'shop', 'hosts').data.a == 'b'")],
      ['ConfigMap allowed', 'ConfigMap hosts'],
    ],
    [
      'any object if a name is computed',
      [cel(lookup, 'resource.Get("v1", "configmaps", "shop", object.metadata.name).data.a == "b"')],
      ['ConfigMap allowed', 'ConfigMap hosts', 'ConfigMap other'],
    ],
    [
      'any object for a list',
      [cel('resource.List("v1", "configmaps", "shop").items.size() > 0')],
      ['ConfigMap allowed', 'ConfigMap hosts', 'ConfigMap other'],
    ],
    ['the object that a context names', [CONTEXT], ['ConfigMap hosts']],
    [
      'only the objects that each policy names',
      [CONTEXT, cel('resource.List("v1", "secrets", "shop").items.size() > 0')],
      ['ConfigMap hosts', 'Secret allowed'],
    ],
  ])('%s', (_, policies, found) => {
    expect(rules(policies)).toEqual(found);
  });
});
