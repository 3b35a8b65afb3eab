// Writes the table of built-in resources from upstream's recorded discovery documents (see README.md).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface ApiResource {
  name: string;
  kind: string;
  namespaced: boolean;
  singularName: string;
  shortNames?: string[];
  group?: string;
  version?: string;
}

interface Row {
  resource: string;
  kind: string;
  namespaced: boolean;
  minors: Set<number>;
  subresources: Map<string, Set<number>>;
}

const OUTPUT = new URL('../../src/kubernetes/schema/resources.generated.json', import.meta.url);

const releases = process.argv.slice(2).map((argument) => {
  const match = /^1\.(\d+)=(.+)$/.exec(argument);
  if (match === null) throw new Error(`expected 1.<minor>=<folder of k8s.io/kubernetes>, got ${argument}`);
  return { minor: Number(match[1]), discovery: join(match[2] as string, 'api', 'discovery') };
});
releases.sort((a, b) => a.minor - b.minor);
const newest = releases.at(-1);
const oldest = releases[0];
if (newest === undefined || oldest === undefined) throw new Error('name at least one release: 1.<minor>=<folder>');

const tables = new Map<string, Map<string, Row>>();
/** By `resource.group`, of all releases. */
const shortNames = new Map<string, Set<string>>();
/** Versions of each group in the server's order of preference. The newest release that has a version decides. */
const versionOrder = new Map<string, string[]>();

for (const { minor, discovery } of releases) {
  for (const file of readdirSync(discovery).sort()) {
    const document = JSON.parse(readFileSync(join(discovery, file), 'utf8'));
    if (document.kind === 'APIGroup') recordVersionOrder(document.name, document.versions);
    if (document.kind === 'APIResourceList') recordResources(minor, document.groupVersion, document.resources);
  }
}

const lines: string[] = [];
for (const groupVersion of [...tables.keys()].sort(compareGroupVersions)) {
  const rows = [...(tables.get(groupVersion) as Map<string, Row>).values()];
  rows.sort((a, b) => compareText(a.resource, b.resource));
  for (const row of rows) lines.push(`${groupVersion} ${formatRow(row)}`);
}

const document = {
  generatedBy: 'npx tsx scripts/schema/resources.ts 1.<minor>=<folder> …',
  columns: 'apiVersion resource kind n|c(luster) minors [subresource=kind[:apiVersion][@minors]] …',
  minors: releases.map((release) => release.minor),
  resources: lines,
  shortNames: [...shortNames].map(([resource, names]) => [resource, ...names].join(' ')).sort(compareText),
};
writeFileSync(OUTPUT, `${JSON.stringify(document, undefined, 1)}\n`);

function recordVersionOrder(group: string, versions: { version: string }[]): void {
  const served = versions.map((entry) => entry.version);
  const gone = (versionOrder.get(group) ?? []).filter((version) => !served.includes(version));
  versionOrder.set(group, [...served, ...gone]);
}

function recordResources(minor: number, groupVersion: string, resources: ApiResource[]): void {
  const rows = tables.get(groupVersion) ?? new Map<string, Row>();
  tables.set(groupVersion, rows);
  for (const { name, kind, namespaced, singularName, shortNames: short = [] } of resources.filter(
    (entry) => !entry.name.includes('/'),
  )) {
    if (singularName !== kind.toLowerCase())
      throw new Error(`${groupVersion} ${name}: unusual singular ${singularName}`);
    const row = rows.get(name) ?? { resource: name, kind, namespaced, minors: new Set(), subresources: new Map() };
    if (row.kind !== kind || row.namespaced !== namespaced)
      throw new Error(`${groupVersion} ${name}: kind or scope changed`);
    const { group } = splitGroupVersion(groupVersion);
    const qualified = group === '' ? name : `${name}.${group}`;
    if (short.length > 0) shortNames.set(qualified, new Set([...(shortNames.get(qualified) ?? []), ...short]));
    row.minors.add(minor);
    rows.set(name, row);
  }
  for (const { name, kind, group, version } of resources.filter((entry) => entry.name.includes('/'))) {
    const [parent = '', subresource = ''] = name.split('/');
    const taken = version === undefined ? '' : `:${group === '' ? version : `${group}/${version}`}`;
    const row = rows.get(parent) as Row;
    const key = `${subresource}=${kind}${taken}`;
    row.subresources.set(key, (row.subresources.get(key) ?? new Set()).add(minor));
  }
}

function formatRow({ resource, kind, namespaced, minors, subresources }: Row): string {
  const own = formatMinors(minors);
  const parts = [resource, kind, namespaced ? 'n' : 'c', own];
  for (const key of [...subresources.keys()].sort(compareText)) {
    const served = formatMinors(subresources.get(key) as Set<number>);
    parts.push(served === own ? key : `${key}@${served}`);
  }
  return parts.join(' ');
}

/** `30-` from 1.30 to the newest release of the table, `30-33` if support ended earlier. */
function formatMinors(minors: ReadonlySet<number>): string {
  const first = Math.min(...minors);
  const last = Math.max(...minors);
  if (last - first + 1 !== minors.size) throw new Error(`served with a gap: ${[...minors].join(', ')}`);
  return last === newest?.minor ? `${first}-` : `${first}-${last}`;
}

/** Core first, then groups by name. Within a group, the server's order of preference. */
function compareGroupVersions(a: string, b: string): number {
  const [left, right] = [splitGroupVersion(a), splitGroupVersion(b)];
  const order = versionOrder.get(left.group) ?? [];
  return compareText(left.group, right.group) || order.indexOf(left.version) - order.indexOf(right.version);
}

function splitGroupVersion(groupVersion: string): { group: string; version: string } {
  const [group, version] = groupVersion.includes('/') ? groupVersion.split('/') : ['', groupVersion];
  return { group: group as string, version: version as string };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
