// Where schemas of custom kinds are looked for: a file or folder of the repository, or an address, with the kind's names put in.

/** The names that kubeconform's `-schema-location` knows. */
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
  /** `1.36`. */
  readonly kubernetesVersion: string;
}

const VARIABLE = /\{\{\s*\.(\w+)\s*\}\}/g;
/** Of what a manifest says, this much may stand in an address. */
const SAFE = /^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9.-]*$/;

/** True for what names one place for each kind. */
export function isTemplate(location: string): boolean {
  return location.includes('{{');
}

export function isSchemaAddress(location: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(location);
}

/** What is wrong with it, in words that follow the text; undefined if it is what it should be. */
export function schemaLocationProblem(location: string): string | undefined {
  for (const [, name = ''] of location.matchAll(VARIABLE)) {
    if (!VARIABLES.has(name)) {
      const known = [...VARIABLES.keys()].map((each) => `\`{{.${each}}}\``).join(', ');
      return `has the unknown \`{{.${name}}}\`: expected one of ${known}`;
    }
  }
  if (/\{\{|\}\}/.test(location.replace(VARIABLE, ''))) return 'has braces that are no `{{.Name}}`';
  if (isSchemaAddress(location)) {
    return URL.canParse(location.replace(VARIABLE, 'x')) &&
      location.startsWith('https://') &&
      !/^https:\/\/[^/]*[@{]/.test(location)
      ? undefined
      : 'is no address such as `https://example.com/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json`';
  }
  const isInside = !location.startsWith('/') && !location.split('/').includes('..') && location.trim() !== '';
  return isInside ? undefined : 'is no file or folder of this repository, from its top';
}

/** Undefined for a kind whose names are none that an API server would take. */
export function expandLocation(template: string, kind: LocatedKind): string | undefined {
  if (![kind.group, kind.version, kind.kind].every((text) => SAFE.test(text))) return undefined;
  return template.replace(VARIABLE, (_, name: string) => VARIABLES.get(name)?.(kind) ?? '');
}
