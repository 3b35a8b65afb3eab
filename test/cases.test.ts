// Golden cases of `preadmit check`: a folder is a repository, expected.txt its output. Copy a folder, edit it, run `npm run bless`.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkState } from '../src/pipeline/check-state.ts';
import { compareStates } from '../src/pipeline/compare-states.ts';
import { DocumentReader } from '../src/pipeline/state/read-repository.ts';
import { text } from '../src/report/format/text/text.ts';
import type { Report } from '../src/report/report.ts';
import { type Configuration, defaultConfiguration } from '../src/settings/configuration.ts';
import { loadBaseline } from '../src/settings/load-baseline.ts';
import { loadConfiguration } from '../src/settings/load-configuration.ts';
import { HeldValues } from '../src/source/manifest/held-values.ts';
import { Documents } from '../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../src/source/text/source-file.ts';
import { TextStore } from '../src/workspace/files/text-store.ts';
import { folderTree } from '../src/workspace/render/folder-tree.ts';
import { expectGolden } from './support/bless.ts';
import { engine } from './support/render.ts';
import { serverValidation } from './support/server-validation.ts';
import { statesInFolder } from './support/states-in-folder.ts';
import { statesInGit } from './support/states-in-git.ts';

/** Cases of this room are rendered; other cases are plain files. */
const RENDERED = 'render';
const ROOMS = ['check', 'admission', 'object', RENDERED]
  .map((room) => join(import.meta.dirname, 'cases', room))
  .filter(existsSync);

function sourcesOf(folder: string): SourceFile[] {
  // No case reaches the limit of uncompressed texts. Here every text is compressed, and decompressed on each use.
  const texts = new TextStore({ all: 0, recent: 0, block: 0 });
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.(?:ya?ml|json)$/.test(path) && path !== '.preadmit.yaml')
    .sort()
    .map((path) => new SourceFile(path, texts.add(readFileSync(join(folder, path), 'utf8'))));
}

function configurationOf(folder: string): Configuration {
  const file = join(folder, '.preadmit.yaml');
  const written = existsSync(file) ? new SourceFile('.preadmit.yaml', readFileSync(file, 'utf8')) : undefined;
  const configuration = written === undefined ? defaultConfiguration() : loadConfiguration(written).configuration;
  if (configuration === undefined) throw new Error(`${folder}: the configuration does not load`);
  return configuration;
}

function check(folder: string, sources: readonly SourceFile[]): Report {
  const known = sources.find(({ path }) => path === '.preadmit-baseline.yaml');
  const baseline = known && loadBaseline(known).baseline;
  return checkState({
    files: sources.map((source) => ({ file: source, selected: true })),
    paths: new Set(sources.map((source) => source.path)),
    notRead: [],
    configuration: configurationOf(folder),
    serverValidation: serverValidation(),
    today: '2026-11-21',
    // No case is as large as what is held in memory: here next to nothing is, so that every value is read again.
    reader: new DocumentReader(new Documents(new HeldValues(0))),
    ...(baseline && { baseline }),
    ...(basename(dirname(folder)) === RENDERED && { rendering: { tree: folderTree(folder), engine } }),
  });
}

/** `path:line code` of every finding and diagnostic. */
function reported({ findings, diagnostics }: Report): string[] {
  // Entries without a line appear only in the golden text.
  const places = [...findings, ...diagnostics].flatMap(({ code, primary }) =>
    primary === undefined ? [] : [`${primary.path}:${primary.startLine} ${code}`],
  );
  return [...new Set(places)].sort();
}

/** The same from the `# fail: code, code` comments on the faulty lines, which blessing never writes. */
function announced(sources: readonly SourceFile[]): string[] {
  return sources
    .flatMap(({ path, text: content }) =>
      content.split(/\r?\n/).flatMap((line, index) => {
        const codes = /# fail: (.+)$/.exec(line)?.[1]?.split(', ') ?? [];
        return codes.map((code) => `${path}:${index + 1} ${code}`);
      }),
    )
    .sort();
}

for (const room of ROOMS) {
  describe(room.slice(room.lastIndexOf('/') + 1), () => {
    it.each(readdirSync(room).sort())('%s', (name) => {
      const folder = join(room, name);
      const sources = sourcesOf(folder);
      const report = check(folder, sources);
      const configuration = join(folder, '.preadmit.yaml');
      const written = existsSync(configuration)
        ? [new SourceFile('.preadmit.yaml', readFileSync(configuration, 'utf8'))]
        : [];
      expect(reported(report)).toEqual(announced([...written, ...sources]));
      const options = { color: false, width: 100, showSkipped: true, quiet: false };
      expectGolden(join(folder, 'expected.txt'), text.render(report, options));
    });
  });
}

/** Diff cases with these prefixes are read as from Git, and rendered. */
const IN_GIT = /^(?:hidden|rendered)-/;

function textsIn(folder: string, state: 'base' | 'head'): ReadonlyMap<string, string> {
  const top = join(folder, state);
  const paths = readdirSync(top, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  const files = paths.filter((path) => statSync(join(top, path)).isFile()).sort();
  return new Map(files.map((path) => [path, readFileSync(join(top, path), 'utf8')]));
}

const DIFF_ROOM = join(import.meta.dirname, 'cases/diff');

describe('diff', () => {
  it.each(readdirSync(DIFF_ROOM).sort())('%s', (name) => {
    const folder = join(DIFF_ROOM, name);
    const configuration = configurationOf(join(folder, 'base'));
    const report = compareStates({
      ...(IN_GIT.test(name)
        ? { ...statesInGit(textsIn(folder, 'base'), textsIn(folder, 'head')), engine }
        : statesInFolder(folder)),
      names: { base: 'base', head: 'head' },
      configuration,
      serverValidation: serverValidation(),
      policiesFrom: configuration.policiesFrom,
      only: 'new',
      today: '2026-11-21',
    });
    const options = { color: false, width: 100, showSkipped: true, quiet: false };
    expectGolden(join(folder, 'expected.txt'), text.render(report, options));
  });
});
