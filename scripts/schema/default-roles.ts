// Writes the table of default roles and bindings of API servers (see README.md).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Resource, resourcesOf } from '../../src/kubernetes/api/resource.ts';
import type { JsonObject } from '../../src/source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../src/source/json/json-field.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';

const OUTPUT = new URL('../../src/kubernetes/default-roles.generated.json', import.meta.url);
const TESTDATA = 'plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata';

const releases = process.argv.slice(2).map((argument) => {
  const match = /^1\.(\d+)=(.+)$/.exec(argument);
  if (match === null) throw new Error(`expected 1.<minor>=<folder of k8s.io/kubernetes>, got ${argument}`);
  return { minor: Number(match[1]), folder: join(match[2] as string, TESTDATA) };
});
releases.sort((a, b) => a.minor - b.minor);
const newest = releases.at(-1)?.minor;

/** Releases by line, where a line omits its releases. */
const lines = new Map<string, Set<number>>();

for (const { minor, folder } of releases) {
  // Rules of alpha features are recorded in separate files and do not exist in every cluster.
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml') && !file.includes('featuregates'));
  for (const file of files) {
    const { manifests } = readManifests(new SourceFile(file, readFileSync(join(folder, file), 'utf8')));
    for (const result of manifests.flatMap(resourcesOf)) {
      if (!('resource' in result)) throw new Error(`${folder}/${file}: not a list of resources`);
      for (const line of linesOf(result.resource)) lines.set(line, (lines.get(line) ?? new Set()).add(minor));
    }
  }
}

const document = {
  generatedBy: 'npx tsx scripts/schema/default-roles.ts 1.<minor>=<folder> …',
  columns: {
    role: 'minors|role|kind|namespace|name|labels|aggregated labels',
    rule: 'minors|rule|kind|namespace|name|verbs|groups|resources|names or minors|rule|kind|namespace|name|verbs|URLs',
    binding:
      'minors|binding|kind|namespace|name|role kind|role name|subjects: U=user, G=group, S=namespace/service account',
  },
  minors: releases.map((release) => release.minor),
  lines: [...lines].map(([line, minors]) => `${formatMinors(minors)}|${line}`).sort(),
};
writeFileSync(OUTPUT, `${JSON.stringify(document, undefined, 1)}\n`);

function linesOf(resource: Resource): readonly string[] {
  const { kind } = resource.gvk;
  const identity = [kind, resource.namespace, resource.name].join('|');
  if (kind.endsWith('Binding')) {
    const ref = objectOrEmpty(resource.value.get('roleRef'));
    const subjects = objectItems(resource.value.get('subjects')).map(subjectText).join(',');
    return [`binding|${identity}|${textField(ref, 'kind')}|${textField(ref, 'name')}|${subjects}`];
  }
  const labels = objectOrEmpty(objectOrEmpty(resource.value.get('metadata')).get('labels'));
  const selectors = objectItems(objectOrEmpty(resource.value.get('aggregationRule')).get('clusterRoleSelectors')).map(
    (selector) => labelText(objectOrEmpty(selector.get('matchLabels'))),
  );
  return [
    `role|${identity}|${labelText(labels)}|${selectors.join(' ')}`,
    ...objectItems(resource.value.get('rules')).map((rule) => `rule|${identity}|${ruleText(rule)}`),
  ];
}

function ruleText(rule: JsonObject): string {
  const list = (field: string): string => textItems(rule.get(field)).join(',');
  if (rule.has('nonResourceURLs')) return `${list('verbs')}|${list('nonResourceURLs')}`;
  return `${list('verbs')}|${list('apiGroups')}|${list('resources')}|${list('resourceNames')}`;
}

function subjectText(subject: JsonObject): string {
  const kind = textField(subject, 'kind');
  const name = textField(subject, 'name');
  return kind === 'ServiceAccount' ? `S=${textField(subject, 'namespace')}/${name}` : `${kind.charAt(0)}=${name}`;
}

function labelText(labels: JsonObject): string {
  return [...labels].map(([key, value]) => `${key}=${value}`).join(',');
}

/** `30-` from 1.30 to the newest release of the table, `30-33,35-36` when there are gaps. */
function formatMinors(minors: ReadonlySet<number>): string {
  const runs: number[][] = [];
  for (const minor of [...minors].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run?.at(-1) === minor - 1) run.push(minor);
    else runs.push([minor]);
  }
  return runs.map((run) => `${run[0]}-${run.at(-1) === newest ? '' : run.at(-1)}`).join(',');
}
