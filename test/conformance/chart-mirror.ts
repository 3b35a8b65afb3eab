// Answers requests for charts with a chart that shows its values. Stands for all Helm repositories and registries, without a network.
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../src/source/json/json.ts';
import { objectItems, objectOrEmpty, textField, valueAt } from '../../src/source/json/json-field.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import type { Transport, TransportResponse } from '../../src/workspace/network/transport.ts';
import { chartArchive } from '../support/chart-archive.ts';

const TEMPLATE = `apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}-values"}
data: {values: {{ .Values | toJson | quote }}}
`;

/** `texts`: of the repository's YAML files, whose HelmReleases, Applications and charts name the charts that a Helm repository must list. */
export function chartMirror(texts: readonly string[]): Transport {
  const versions = new Map<string, Set<string>>();
  const note = (name: string, constraint: string): void => {
    if (name !== '') versions.set(name, (versions.get(name) ?? new Set()).add(versionIn(constraint)));
  };
  for (const { value } of texts.flatMap((text) => readManifests(new SourceFile('file.yaml', text)).manifests)) {
    const root = objectOrEmpty(value);
    const chart = objectOrEmpty(valueAt(root, ['spec', 'chart', 'spec']));
    note(textField(chart, 'chart'), textField(chart, 'version'));
    for (const source of argoSources(root)) note(textField(source, 'chart'), textField(source, 'targetRevision'));
    for (const chartOf of objectItems(root.get('dependencies')))
      note(textField(chartOf, 'name'), textField(chartOf, 'version'));
  }
  const blobs = new Map<string, Uint8Array>();
  return async ({ url }) => {
    const { pathname } = new URL(url);
    const [, repository = '', tag] = /^\/v2\/(.+)\/manifests\/([\w.-]+)$/.exec(pathname) ?? [];
    if (tag !== undefined) return answer(manifestOf(repository.split('/').at(-1) ?? '', tag, blobs));
    const blob = blobs.get(pathname.split('/').at(-1) ?? '');
    if (pathname.startsWith('/v2/')) return blob === undefined ? ABSENT : answer(blob);
    if (pathname.endsWith('/index.yaml')) return answer(indexOf(versions));
    const [, name = '', version] = /\/([^/]+)_([^/_]+)\.tgz$/.exec(pathname) ?? [];
    return version === undefined ? ABSENT : answer(archiveOf(name, version));
  };
}

/** Sources of an Application, or of the template of an ApplicationSet. */
function argoSources(root: JsonObject): readonly JsonObject[] {
  const spec = objectOrEmpty(root.get('spec'));
  const specs = [spec, objectOrEmpty(valueAt(spec, ['template', 'spec']))];
  return specs.flatMap((each) => [objectOrEmpty(each.get('source')), ...objectItems(each.get('sources'))]);
}

const ABSENT: TransportResponse = { status: 404, headers: {}, body: new Uint8Array() };

function answer(body: Uint8Array | string): TransportResponse {
  return { status: 200, headers: {}, body: typeof body === 'string' ? new TextEncoder().encode(body) : body };
}

function archiveOf(name: string, version: string): Uint8Array {
  const chart = `apiVersion: v2\nname: ${name}\nversion: ${version}\n`;
  return chartArchive({ 'Chart.yaml': chart, 'templates/values.yaml': TEMPLATE });
}

/** A version that satisfies the constraint, in most cases. */
function versionIn(constraint: string): string {
  return /\d+\.\d+\.\d+[\w.+-]*/.exec(constraint)?.[0] ?? '1.0.0';
}

function indexOf(versions: ReadonlyMap<string, ReadonlySet<string>>): string {
  const entries = [...versions].map(([name, all]) => [
    name,
    [...all].map((version) => ({ version, urls: [`${name}_${version}.tgz`] })),
  ]);
  return JSON.stringify({ entries: Object.fromEntries(entries) });
}

function manifestOf(name: string, tag: string, blobs: Map<string, Uint8Array>): string {
  const archive = archiveOf(name, /^\d+\.\d+\.\d+/.test(tag.replace(/^v/, '')) ? tag.replaceAll('_', '+') : '1.0.0');
  const digest = `sha256:${createHash('sha256').update(archive).digest('hex')}`;
  blobs.set(digest, archive);
  const mediaType = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';
  return JSON.stringify({ schemaVersion: 2, layers: [{ mediaType, digest, size: archive.length }] });
}
