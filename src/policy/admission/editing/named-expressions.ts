// Finds a policy's expressions by name: `validations[0]`, `matchConditions.not-system`, `variables.limit`.
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { objectOrEmpty, textField, valueAt } from '../../../source/json/json-field.ts';
import { type ExpressionSite, sitesOf } from './expression-site.ts';

export interface NamedSite {
  readonly name: string;
  readonly site: ExpressionSite;
}

/** In the server's evaluation order. Items with a unique name are identified by it, others by index. */
export function namedSites(policy: Resource): readonly NamedSite[] {
  const named = sitesOf(policy).map((site) => ({ name: nameOf(site), site }));
  const counts = new Map<string, number>();
  for (const { name } of named) counts.set(name, (counts.get(name) ?? 0) + 1);
  return named.map((one) => (counts.get(one.name) === 1 ? one : { ...one, name: indexedName(one.site) }));
}

function nameOf(site: ExpressionSite): string {
  const { path, resource } = site;
  const [, list, index] = path;
  const item = objectOrEmpty(valueAt(resource.value, ['spec', String(list), Number(index)]));
  const own = textField(item, list === 'auditAnnotations' ? 'key' : 'name');
  return own === '' ? indexedName(site) : `${list}.${own}`;
}

function indexedName({ path }: ExpressionSite): string {
  const [, list, index, field] = path;
  return `${list}[${index}]${field === 'messageExpression' ? '.messageExpression' : ''}`;
}
