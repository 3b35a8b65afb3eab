// Generates variants of a CEL policy for Pods that apply to their controllers (Kyverno `pkg/cel/autogen`, `policies/{vpol,mpol}/autogen`).
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textItems } from '../../../source/json/json-field.ts';

/** `extract`: finds the pod templates in objects of any kind and evaluates the policy for each. */
export type AutogenForm = 'cronjobs' | 'defaults' | 'extract';

export interface AutogenVariant {
  readonly form: AutogenForm;
  readonly spec: JsonObject;
}

interface AutogenTarget {
  readonly form: AutogenForm;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

const CONTROLLERS: ReadonlyMap<string, AutogenTarget> = new Map(
  (
    [
      ['daemonsets', 'apps', 'defaults'],
      ['deployments', 'apps', 'defaults'],
      ['replicasets', 'apps', 'defaults'],
      ['statefulsets', 'apps', 'defaults'],
      ['jobs', 'batch', 'defaults'],
      ['cronjobs', 'batch', 'cronjobs'],
    ] as const
  ).map(([resource, group, form]) => [resource, { form, group, version: 'v1', resource }]),
);

/** Path of the Pod's `spec` and `metadata` in the controllers of a form. */
const TEMPLATES: Readonly<Record<AutogenForm, string>> = {
  defaults: 'spec.template',
  cronjobs: 'spec.jobTemplate.spec.template',
  extract: '',
};

/** Sorted by form. Empty unless the policy matches all Pods and nothing else. */
export function validatingVariants(spec: JsonObject): readonly AutogenVariant[] {
  return variantsOf(spec, (value, form) => {
    const template = TEMPLATES[form];
    if (template === '') return value;
    return mapTexts(value, (text) => movedTo(movedTo(text, 'spec', template), 'metadata', template)) as JsonObject;
  });
}

/** The variants' constraints, with unchanged expressions. */
export function unwrittenVariants(spec: JsonObject): readonly AutogenVariant[] {
  return variantsOf(spec, (value) => value);
}

export function mutatingVariants(spec: JsonObject): readonly AutogenVariant[] {
  return variantsOf(spec, (value, form) => {
    if (form === 'extract') return value;
    const rewritten = new Map(value);
    const conditions = value.get('matchConditions');
    if (isJsonArray(conditions)) {
      rewritten.set(
        'matchConditions',
        conditions.map((condition) => rewriteExpression(condition, form)),
      );
    }
    const mutations = value.get('mutations');
    if (isJsonArray(mutations)) {
      rewritten.set(
        'mutations',
        mutations.map((mutation) => {
          const configuration = objectOrEmpty(mutation).get('applyConfiguration');
          if (!isJsonObject(mutation) || configuration === undefined) return mutation;
          return new Map(mutation).set('applyConfiguration', rewriteExpression(configuration, form));
        }),
      );
    }
    return rewritten;
  });
}

function variantsOf(
  spec: JsonObject,
  rewrite: (spec: JsonObject, form: AutogenForm) => JsonObject,
): readonly AutogenVariant[] {
  const constraints = objectOrEmpty(spec.get('matchConstraints'));
  if (!isAboutAllPods(constraints)) return [];
  const written = objectOrEmpty(objectOrEmpty(spec.get('autogen')).get('podControllers')).get('controllers');
  const names = isJsonArray(written) ? textItems(written) : [...CONTROLLERS.keys()];
  const targets = new Map<AutogenForm, AutogenTarget[]>();
  for (const name of new Set(names)) {
    const target = CONTROLLERS.get(name) ?? customTarget(name);
    if (target === undefined) continue;
    const known = targets.get(target.form);
    if (known === undefined) targets.set(target.form, [target]);
    else known.push(target);
  }
  return [...targets]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([form, found]) => {
      const withConstraints = new Map(spec).set('matchConstraints', constraintsFor(found, constraints));
      return { form, spec: rewrite(withConstraints, form) };
    });
}

/** True for a single rule for v1 pods without selectors or names. */
function isAboutAllPods(constraints: JsonObject): boolean {
  const selector = objectOrEmpty(constraints.get('objectSelector'));
  if (objectOrEmpty(selector.get('matchLabels')).size > 0 || objectItems(selector.get('matchExpressions')).length > 0) {
    return false;
  }
  if (objectItems(constraints.get('excludeResourceRules')).length > 0) return false;
  const [rule, ...others] = objectItems(constraints.get('resourceRules'));
  if (rule === undefined || others.length > 0 || textItems(rule.get('resourceNames')).length > 0) return false;
  const isOnly = (field: string, value: string): boolean => {
    const items = textItems(rule.get(field));
    return items.length === 1 && items[0] === value;
  };
  return isOnly('apiGroups', '') && isOnly('apiVersions', 'v1') && isOnly('resources', 'pods');
}

/** Parses `resource.version.group`. */
function customTarget(name: string): AutogenTarget | undefined {
  const [, resource, version, group] = /^([^.]+)\.([^.]+)\.([\s\S]+)$/.exec(name) ?? [];
  if (resource === undefined || version === undefined || group === undefined) return undefined;
  return { form: 'extract', group, version, resource };
}

/** Keeps the policy's operations and namespaceSelector. */
function constraintsFor(targets: readonly AutogenTarget[], constraints: JsonObject): JsonObject {
  const operations = objectItems(constraints.get('resourceRules'))[0]?.get('operations') ?? [];
  const groups = new Map<string, Set<string>>();
  for (const { group, version, resource } of targets) {
    const key = `${group}/${version}`;
    groups.set(key, (groups.get(key) ?? new Set()).add(resource));
  }
  const rules = [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, resources]) => {
      const slash = key.lastIndexOf('/');
      return new Map<string, JsonValue>([
        ['apiGroups', [key.slice(0, slash)]],
        ['apiVersions', [key.slice(slash + 1)]],
        ['resources', [...resources].sort()],
        ['operations', operations],
      ]);
    });
  const made = new Map<string, JsonValue>([['resourceRules', rules]]);
  const selector = constraints.get('namespaceSelector');
  return selector === undefined ? made : made.set('namespaceSelector', selector);
}

function mapTexts(value: JsonValue, map: (text: string) => string): JsonValue {
  if (typeof value === 'string') return map(value);
  if (isJsonArray(value)) return value.map((item) => mapTexts(item, map));
  if (!isJsonObject(value)) return value;
  return new Map([...value].map(([key, item]): [string, JsonValue] => [map(key), mapTexts(item, map)]));
}

/** `metadata.namespace` stays the owner's. */
function movedTo(text: string, field: 'spec' | 'metadata', template: string): string {
  if (!text.includes(`bject.${field}`)) return text;
  const written = new RegExp(`(object|oldObject)\\.${field}(?!\\.namespace(?![A-Za-z0-9_]))`, 'g');
  return text.replace(written, (_whole, root: string) => `${root}.${template}.${field}`);
}

function rewriteExpression(holder: JsonValue, form: AutogenForm): JsonValue {
  const expression = objectOrEmpty(holder).get('expression');
  if (!isJsonObject(holder) || typeof expression !== 'string' || expression === '') return holder;
  return new Map(holder).set('expression', mutatingExpression(expression, form));
}

function mutatingExpression(expression: string, form: AutogenForm): string {
  const template = TEMPLATES[form];
  const moved = expression
    .replace(/\b(object|oldObject|Object)\.spec/g, `$1.${template}.spec`)
    .replace(/\b(object|oldObject|Object)\.metadata\.labels/g, `$1.${template}.metadata.labels`)
    .replace(/\b(object|oldObject|Object)\.metadata\.annotations/g, `$1.${template}.metadata.annotations`);
  const [, content] = /^\s*Object[ \t\r\n]*\{([\s\S]*)$/.exec(moved) ?? [];
  if (content === undefined) return moved;
  const trimmed = content.trimEnd();
  const end = closingBrace(trimmed);
  if (end <= 0) return moved;
  return `${wrapped(template.split('.'), trimmed.slice(0, end))}${trimmed.slice(end + 1)}`;
}

/** Also counts braces inside strings. */
function closingBrace(content: string): number {
  let open = 1;
  for (let at = 0; at < content.length; at++) {
    if (content[at] === '{') open++;
    else if (content[at] === '}' && --open === 0) return at;
  }
  return 0;
}

/** `Object{spec: Object.spec{template: Object.spec.template{…}}}`. */
function wrapped(fields: readonly string[], inner: string): string {
  let opening = 'Object{';
  let type = 'Object';
  for (const field of fields) {
    type += `.${field}`;
    opening += `${field}: ${type}{`;
  }
  return `${opening}${inner}${'}'.repeat(fields.length + 1)}`;
}
