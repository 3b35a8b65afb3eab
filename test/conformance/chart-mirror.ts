// Answers requests for charts with a chart that shows its values. Stands for all Helm repositories and registries, without a network.
import { createHash } from 'node:crypto';
import { objectOrEmpty, textField, valueAt } from '../../src/source/json/json-field.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import type { Transport, TransportResponse } from '../../src/workspace/network/transport.ts';
import { chartArchive } from '../support/chart-archive.ts';

const TEMPLATE = `apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}-values"}
data: {values: {{ .Values | toJson | quote }}}
`;

/** `texts`: of the repository's YAML files, whose HelmReleases name the charts that a Helm repository must list. */
export function chartMirror(texts: readonly string[]): Transport {
  const versions = new Map<string, Set<string>>();
  for (const { value } of texts.flatMap((text) => readManifests(new SourceFile('file.yaml', text)).manifests)) {
    const chart = objectOrEmpty(valueAt(objectOrEmpty(value), ['spec', 'chart', 'spec']));
    const name = textField(chart, 'chart');
    if (name !== '') versions.set(name, (versions.get(name) ?? new Set()).add(versionIn(textField(chart, 'version'))));
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
