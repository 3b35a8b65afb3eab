// `spec.postBuild` of a Flux Kustomization: its variables, and their substitution in objects.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { isSubstitutionDisabled } from '../../source/placeholder/substitution.ts';
import { readYaml } from '../../source/yaml/yaml-to-json.ts';
import type { DeclarationFacts } from '../sources/controller.ts';
import { dataOf } from './object-data.ts';
import { namespaceOf } from './source-reference.ts';
import { type Substituted, type SubstitutionBudget, substitute, type Variables } from './substitute.ts';

const VARIABLE_NAME = /^[_A-Za-z][_A-Za-z0-9]*$/;

export interface PostBuild extends Variables {
  /** Set if a variable name is invalid; Flux then applies nothing. */
  readonly failure?: string;
}

/**
 * Undefined if nothing is substituted: without `postBuild`, or without variables (unless `substituteStrategy: Always`). Optional ConfigMaps
 * and Secrets that are not in the repository are treated as absent.
 */
export function postBuildOf(declaration: Resource, known: DeclarationFacts): PostBuild | undefined {
  const postBuild = objectField(objectOrEmpty(declaration.value.get('spec')), 'postBuild');
  if (postBuild === undefined) return undefined;
  const values = new Map<string, string | undefined>();
  let others: 'absent' | 'unknown' = 'absent';
  for (const reference of objectItems(postBuild.get('substituteFrom'))) {
    const kind = textField(reference, 'kind');
    const name = textField(reference, 'name');
    const data = dataOf(known, declaration, kind, name);
    const told = known.clusterData(kind, namespaceOf(declaration), name);
    for (const [key, text] of data ?? told ?? []) values.set(key, (text ?? told?.get(key))?.replaceAll('\n', ''));
    if (data !== undefined || (told === undefined && reference.get('optional') === true)) continue;
    // Only the cluster has the object, and it may define any variable. Configured cluster data lists the names that matter.
    others = 'unknown';
    if (told === undefined) values.clear();
  }
  for (const [name, value] of objectOrEmpty(postBuild.get('substitute'))) {
    values.set(name, typeof value === 'string' ? value.replaceAll('\n', '') : undefined);
  }
  const isAlways = textField(postBuild, 'substituteStrategy') === 'Always';
  if (values.size === 0 && others === 'absent' && !isAlways) return undefined;
  const wrong = [...values.keys()].sort().find((name) => !VARIABLE_NAME.test(name));
  return {
    valueOf: (name) => (values.has(name) ? values.get(name) : others === 'absent' ? '' : undefined),
    ...(wrong !== undefined && { failure: `'${wrong}' var name is invalid, must match '${GO_VARIABLE_NAME}'` }),
  };
}

const GO_VARIABLE_NAME = '^[_[:alpha:]][_[:alpha:][:digit:]]*$';

/** Replaces the variables in the text of an object. Failures use Flux' messages. */
export function substituted(text: string, postBuild: PostBuild, budget: SubstitutionBudget): Substituted {
  if (!text.includes('$') && postBuild.failure === undefined) return { text };
  const read = readYaml(text);
  const metadata = objectOrEmpty('value' in read ? objectOrEmpty(read.value).get('metadata') : undefined);
  if (isSubstitutionDisabled(metadata)) return { text };
  const failed = (words: string): Substituted => {
    return { failure: `var substitution failed for '${textField(metadata, 'name')}': envsubst error: ${words}` };
  };
  if (postBuild.failure !== undefined) return failed(postBuild.failure);
  const result = substitute(text, postBuild, budget);
  if ('failure' in result) return failed(result.failure);
  const reread = readYaml(result.text);
  return 'failure' in reread ? failed(`YAMLToJSON: ${reread.failure.message}`) : result;
}
