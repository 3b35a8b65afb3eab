// `spec.postBuild` of a Flux Kustomization: its variables, and their substitution in objects.
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { JsonValue } from '../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { isSamePath } from '../../source/node/field-path.ts';
import { isSubstitutionDisabled, variableName } from '../../source/placeholder/substitution.ts';
import { readYaml } from '../../source/yaml/yaml-to-json.ts';
import type { DeclarationFacts, UnknownVariables } from '../sources/controller.ts';
import { dataOf, whyUnknown } from './object-data.ts';
import { namespaceOf } from './source-reference.ts';
import { type Substituted, type SubstitutionBudget, substitute, type Variables } from './substitute.ts';

const VARIABLE_NAME = /^[_A-Za-z][_A-Za-z0-9]*$/;

export interface PostBuild extends Variables {
  /** Undefined if the repository contains every value. */
  readonly unknown?: UnknownVariables;
  /** Set if a variable name is invalid; Flux then applies nothing. */
  readonly failure?: string;
}

/**
 * Undefined if nothing (unless `substituteStrategy: Always`). An optional
 * ConfigMap or Secret that is not in the repository may define a variable that no other source defines. It is assumed to override none.
 */
export function postBuildOf(declaration: Resource, known: DeclarationFacts): PostBuild | undefined {
  const postBuild = objectField(objectOrEmpty(declaration.value.get('spec')), 'postBuild');
  if (postBuild === undefined) return undefined;
  const values = new Map<string, Value>();
  const missing: string[] = [];
  for (const reference of objectItems(postBuild.get('substituteFrom'))) {
    const kind = textField(reference, 'kind');
    const name = textField(reference, 'name');
    const label = `${kind} ${namespaceOf(declaration)}/${name}`;
    const data = dataOf(known, declaration, kind, name);
    const told = known.clusterData(kind, namespaceOf(declaration), name);
    for (const [key, text] of data ?? told ?? []) {
      const value = (text ?? told?.get(key))?.replaceAll('\n', '');
      values.set(key, value ?? { from: () => `from ${label}, ${whyUnknown(known, declaration, kind, name)}` });
    }
    if (data !== undefined) continue;
    missing.push(label);
    // The object may define any variable. Configured cluster data lists the names that matter.
    if (told === undefined && reference.get('optional') !== true) values.clear();
  }
  for (const [name, value] of objectOrEmpty(postBuild.get('substitute'))) {
    values.set(name, substituteValue(declaration, name, value));
  }
  const isAlways = textField(postBuild, 'substituteStrategy') === 'Always';
  if (values.size === 0 && missing.length === 0 && !isAlways) return undefined;
  const wrong = [...values.keys()].sort().find((name) => !VARIABLE_NAME.test(name));
  const isComplete = missing.length === 0 && [...values.values()].every((value) => typeof value === 'string');
  return {
    valueOf: (name) => {
      const value = values.get(name) ?? (missing.length === 0 ? '' : undefined);
      return typeof value === 'string' ? value : undefined;
    },
    ...(wrong !== undefined && { failure: `'${wrong}' var name is invalid, must match '${GO_VARIABLE_NAME}'` }),
    ...(!isComplete && { unknown: { sourceOf: (name) => sourceOf(values.get(name), missing) } }),
  };
}

/** A text, or where a text comes from that the repository does not contain. */
type Value = string | { from(): string | undefined };

/** The value may be an unknown variable of the Kustomization that applies the declaration. */
function substituteValue({ manifest }: Resource, name: string, value: JsonValue): Value {
  const path = ['spec', 'postBuild', 'substitute', name];
  const isOpen = manifest.openFields?.().some((open) => isSamePath(open, path)) === true;
  if (typeof value === 'string' && !isOpen) return value.replaceAll('\n', '');
  const variable = typeof value === 'string' ? variableName(value) : undefined;
  return { from: () => (variable === undefined ? undefined : manifest.variableSource?.(variable)) };
}

function sourceOf(value: Value | undefined, missing: readonly string[]): string | undefined {
  if (value !== undefined) return typeof value === 'string' ? undefined : value.from();
  if (missing.length === 0) return undefined;
  const listed = missing.slice(0, MAX_SOURCES);
  const more = missing.length - listed.length;
  const names = [...listed, ...(more > 0 ? [`${more} more`] : [])].join(' or ');
  return `from ${names}, which ${missing.length === 1 ? 'is' : 'are'} not in Git`;
}

/** Further missing sources are only counted. */
const MAX_SOURCES = 3;

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
