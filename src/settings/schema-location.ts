// Locations of schemas of custom kinds: a repository file or folder, or a URL template with the kind's names.

/** The template variables of kubeconform's `-schema-location`. */
const VARIABLES: ReadonlyMap<string, (kind: LocatedKind) => string> = new Map<string, (kind: LocatedKind) => string>([
  ['Group', ({ group }) => group],
  ['ResourceKind', ({ kind }) => kind.toLowerCase()],
  ['ResourceAPIVersion', ({ version }) => version],
  ['KindSuffix', ({ group, version }) => `-${group.split('.')[0]}-${version}`.toLowerCase()],
  ['NormalizedKubernetesVersion', ({ kubernetesVersion }) => `v${kubernetesVersion}.0`],
  ['StrictSuffix', () => '-strict'],
]);

export interface LocatedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** E.g. `1.36`. */
  readonly kubernetesVersion: string;
}

const VARIABLE = /\{\{\s*\.(\w+)\s*\}\}/g;
/** Values from a manifest must match this before they are inserted into a URL. */
const SAFE = /^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9.-]*$/;

/** True if the location depends on the kind. */
export function isTemplate(location: string): boolean {
  return location.includes('{{');
}

export function isSchemaAddress(location: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(location);
}

/** Describes a problem with the location as a predicate; undefined if it is valid. */
export function schemaLocationProblem(location: string): string | undefined {
  for (const [, name = ''] of location.matchAll(VARIABLE)) {
    if (!VARIABLES.has(name)) {
      const known = [...VARIABLES.keys()].map((each) => `\`{{.${each}}}\``).join(', ');
      return `contains the unknown variable \`{{.${name}}}\`: expected one of ${known}`;
    }
  }
  if (/\{\{|\}\}/.test(location.replace(VARIABLE, ''))) return 'contains braces that do not form `{{.Name}}`';
  if (isSchemaAddress(location)) {
    return URL.canParse(location.replace(VARIABLE, 'x')) &&
      location.startsWith('https://') &&
      !/^https:\/\/[^/]*[@{]/.test(location)
      ? undefined
      : 'is not an address such as `https://example.com/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json`';
  }
  const isInside = !location.startsWith('/') && !location.split('/').includes('..') && location.trim() !== '';
  return isInside ? undefined : 'is not a path relative to the root of the repository';
}

/** Undefined for a kind with names that an API server would reject. */
export function expandLocation(template: string, kind: LocatedKind): string | undefined {
  if (![kind.group, kind.version, kind.kind].every((text) => SAFE.test(text))) return undefined;
  return template.replace(VARIABLE, (_, name: string) => VARIABLES.get(name)?.(kind) ?? '');
}
