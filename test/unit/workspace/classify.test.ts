// Golden folders: the classification of every document of test/cases/classify/<case>/repository. `BLESS=1` rewrites
// expected.txt.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  Classifier,
  type ClassifierOptions,
  looksLikeManifest,
  type ReadDocument,
} from '../../../src/inventory/classify.ts';
import { SKIP_REASONS } from '../../../src/inventory/skip-reason.ts';
import { readManifests } from '../../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../../src/source/text/source-file.ts';

const CASES = path.join(import.meta.dirname, '../../cases/classify');

interface Numbered extends ReadDocument {
  readonly index: number;
}

/** Documents in file order; the reader counts empty ones. */
function documentsOf(file: SourceFile): Numbered[] {
  const { manifests, problems } = readManifests(file);
  const documents: Numbered[] = manifests.map(({ value, index }) => ({ value, index }));
  for (const problem of problems) {
    if (problem.kind !== 'unread') documents.push({ value: undefined, index: problem.documentIndex, problem });
  }
  return documents.sort((a, b) => a.index - b.index);
}

function classifyAll(files: readonly SourceFile[], paths: ReadonlySet<string>, options?: ClassifierOptions): string[] {
  const read = files.map((file) => ({ file, documents: documentsOf(file) }));
  const classifier = new Classifier(paths, read, options);
  return read.flatMap(({ file, documents }) =>
    documents.map((document) => {
      const { reason, detail } = classifier.classify(file, document);
      const changedBy = reason === undefined ? classifier.changedBy(file.path) : undefined;
      const notes = [detail, changedBy && `changed by ${changedBy}`].filter((note) => note !== undefined);
      const suffix = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
      return `${file.path} #${document.index}: ${reason ?? 'evaluated'}${suffix}`;
    }),
  );
}

function classifyTexts(texts: Readonly<Record<string, string>>, options?: ClassifierOptions): string[] {
  const files = Object.entries(texts).map(([name, text]) => new SourceFile(name, text));
  return classifyAll(files, new Set(Object.keys(texts)), options);
}

describe('golden folders', () => {
  it.each(readdirSync(CASES))('%s', (name) => {
    const repository = path.join(CASES, name, 'repository');
    const paths = readdirSync(repository, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(repository, path.join(entry.parentPath, entry.name)))
      .sort();
    const files = paths.map((file) => new SourceFile(file, readFileSync(path.join(repository, file), 'utf8')));
    const lines = `${classifyAll(files, new Set(paths)).join('\n')}\n`;
    const expectedFile = path.join(CASES, name, 'expected.txt');
    if (process.env['BLESS'] === '1') writeFileSync(expectedFile, lines);
    expect(lines).toBe(readFileSync(expectedFile, 'utf8'));
  });
});

describe('classify', () => {
  const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n';

  it('distinguishes fixtures of a test from files that it shares with others', () => {
    const test = 'apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nresources: [pod.yaml, ../web.yaml, sub/a.yaml]\n';
    const files = { 'web.yaml': configMap, 'e2e/pod.yaml': configMap, 'e2e/sub/a.yaml': configMap };
    expect(classifyTexts({ ...files, 'e2e/kyverno-test.yaml': test })).toEqual([
      'web.yaml #0: evaluated',
      'e2e/pod.yaml #0: test-fixture',
      'e2e/sub/a.yaml #0: test-fixture',
      'e2e/kyverno-test.yaml #0: client-configuration',
    ]);
    expect(classifyTexts({ 'apps/pod.yaml': configMap, 'apps/kyverno-test.yaml': test })[0]).toBe(
      'apps/pod.yaml #0: evaluated',
    );
    const kustomization = 'resources: [pod.yaml]\n';
    expect(classifyTexts({ ...files, 'e2e/kyverno-test.yaml': test, 'e2e/kustomization.yaml': kustomization })[1]).toBe(
      'e2e/pod.yaml #0: evaluated',
    );
  });

  it('detects OpenShift templates, which no API server receives', () => {
    const template = 'kind: Template\nmetadata:\n  name: a\nobjects: []\n';
    expect(classifyTexts({ 'a.yaml': `apiVersion: v1\n${template}` })).toEqual([
      'a.yaml #0: template (the objects of an OpenShift Template)',
    ]);
    expect(classifyTexts({ 'a.yaml': `apiVersion: template.openshift.io/v1\n${template}` })).toEqual([
      'a.yaml #0: evaluated',
    ]);
  });

  it('ignores empty documents and reports documents that are nested too deeply', () => {
    const deep = `${'['.repeat(1001)}${']'.repeat(1001)}`;
    expect(classifyTexts({ 'a.yaml': `---\n---\n${configMap}---\nnull\n---\n${deep}\n` })).toEqual([
      'a.yaml #1: evaluated',
      'a.yaml #3: too-deep',
    ]);
  });

  it('lets the configuration exclude a file or override its location', () => {
    const texts = {
      'Chart.yaml': 'apiVersion: v2\nname: a\n',
      'hack/a.yaml': configMap,
      'kustomization.yaml': 'patches: [{ path: patch.yaml }]\n',
      'patch.yaml': configMap,
      'templates/a.yaml': configMap,
    };
    const options = {
      evaluate: ['templates/**', 'patch.yaml', 'kustomization.yaml'],
      skip: [{ files: ['hack'], reason: 'for the docs' }],
    };
    expect(classifyTexts(texts, options)).toEqual([
      'Chart.yaml #0: helm-chart-file',
      'hack/a.yaml #0: configured-skip (for the docs)',
      'kustomization.yaml #0: kustomization',
      'patch.yaml #0: evaluated',
      'templates/a.yaml #0: evaluated',
    ]);
  });

  it('resolves references through folders and with unusual spelling', () => {
    const texts = {
      'a/kustomization.yaml': 'patches: [{ path: ../b/./patch.yaml }, { path: /etc/passwd }, { path: ../../../x }]\n',
      'b/patch.yaml': configMap,
      'b/__proto__': configMap,
    };
    expect(classifyTexts(texts)).toEqual([
      'a/kustomization.yaml #0: kustomization',
      'b/patch.yaml #0: kustomize-patch',
      'b/__proto__ #0: evaluated',
    ]);
  });

  it('handles hostile placeholders and braces quickly', () => {
    const many = 200_000;
    const hostile = [
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: "${'$${a:'.repeat(many)}}"\n`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: "${'${a'.repeat(many)}"\n`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: "${'{{'.repeat(many)}"\n`,
      `a: "\n${' '.repeat(many)}{{${' {%'.repeat(many)}\n`,
    ];
    const texts = Object.fromEntries(hostile.map((text, index) => [`${index}.yaml`, text]));
    expect(classifyTexts(texts).map((line) => line.slice(0, 30))).toEqual([
      '0.yaml #0: evaluated',
      '1.yaml #0: evaluated',
      '2.yaml #0: evaluated',
      '3.yaml #0: template',
    ]);
  });
});

describe('looksLikeManifest', () => {
  it.each([
    ['apiVersion: v1\nkind: Pod', true],
    ['- apiVersion: v1\n  kind: Pod', false],
    ['{\n  "apiVersion": "v1",\n  "kind": "Pod"', true],
    ['kind: Pod', false],
    ['', false],
  ])('%j', (text, expected) => {
    expect(looksLikeManifest(text)).toBe(expected);
  });
});

describe('reasons', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../../docs/not-evaluated.md'), 'utf8');

  it('each have a section in the docs, in the order of the table', () => {
    const headings = [...page.matchAll(/^### (.+)$/gm)].map((match) => match[1]);
    expect(headings).toEqual(Object.keys(SKIP_REASONS));
  });

  it('are marked if they may hide a manifest', () => {
    const marked = [...page.matchAll(/^### (.+)\n◆ /gm)].map((match) => match[1]);
    expect(marked).toEqual(
      Object.entries(SKIP_REASONS).flatMap(([reason, entry]) => (entry.mayHideManifest ? [reason] : [])),
    );
  });
});
