// Whether a patch, replica count or replacement selects an object: by kind, group, version, and every name the object has had.
import { compileRegex } from '../../go/regexp/regex.ts';
import { parseLabelSelector, type SelectorRequirement } from '../../kubernetes/selector/selector-text.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { textField, valueAt } from '../../source/json/json-field.ts';
import type { AskedField } from './decision.ts';
import { objectIdentity } from './written.ts';

const MAXIMUM_WORK = 2 ** 20;

/** kustomize's Selector: names are anchored regular expressions, and absent fields match everything. */
export function isSelected(target: JsonObject, asked: Pick<AskedField, 'object' | 'names' | 'namespaces'>): boolean {
  const { apiVersion, kind } = objectIdentity(asked.object);
  const slash = apiVersion.indexOf('/');
  const matches = (field: string, ...values: readonly string[]): boolean => {
    const pattern = textField(target, field);
    return pattern === '' || values.some((value) => value === pattern) || matchesWhole(pattern, values);
  };
  return (
    matches('group', slash < 0 ? '' : apiVersion.slice(0, slash)) &&
    matches('version', apiVersion.slice(slash + 1)) &&
    matches('kind', kind) &&
    matches('name', ...asked.names) &&
    matches('namespace', ...asked.namespaces) &&
    hasLabels(textField(target, 'labelSelector'), valueAt(asked.object, ['metadata', 'labels'])) &&
    hasLabels(textField(target, 'annotationSelector'), valueAt(asked.object, ['metadata', 'annotations']))
  );
}

function matchesWhole(pattern: string, values: readonly string[]): boolean {
  if (/^[A-Za-z0-9_-]*$/.test(pattern)) return false;
  const compiled = compileRegex(`^(?:${pattern})$`, MAXIMUM_WORK);
  if ('error' in compiled) return false;
  try {
    return values.some((value) => compiled.matches(value));
  } catch {
    return false;
  }
}

/** Tests the final labels. An invalid selector matches everything. */
function hasLabels(selector: string, labels: JsonValue | undefined): boolean {
  if (selector === '') return true;
  const requirements = parseLabelSelector(selector);
  if ('error' in requirements) return true;
  const held = isJsonObject(labels) ? labels : new Map<string, JsonValue>();
  return requirements.every((requirement) => holds(requirement, held.get(requirement.key)));
}

function holds({ operator, values }: SelectorRequirement, label: JsonValue | undefined): boolean {
  const isAmong = typeof label === 'string' && values.includes(label);
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return isAmong;
    case '!=':
    case 'notin':
      return !isAmong;
    case 'exists':
      return label !== undefined;
    case '!':
      return label === undefined;
    default:
      return true;
  }
}

/** A strategic merge patch without target applies to the object it names. */
export function isNamedBy(patch: JsonValue, { object, names }: Pick<AskedField, 'object' | 'names'>): boolean {
  const wanted = objectIdentity(patch);
  const own = objectIdentity(object);
  return wanted.kind === own.kind && wanted.apiVersion === own.apiVersion && names.includes(wanted.name);
}
