// Which room may import which: the rules of ARCHITECTURE.md, kept by this test, and a test of the test.
import { describe, expect, it, test } from 'vitest';
import { sharedNames, unreachedFiles, unusedExports } from './architecture/exported-names.ts';
import { looseFiles } from './architecture/rooms.ts';
import { readSources, type Sources, sourceGraph } from './architecture/source-graph.ts';
import { roomArrows, violations } from './architecture/violations.ts';

const SOURCES = readSources('src');
/** Whoever runs a part of the program, tests apart. */
const WITH_SCRIPTS = new Map([...SOURCES, ...readSources('scripts', 'bench')]);
const STARTS = [...WITH_SCRIPTS.keys()].filter(
  (file) =>
    !file.startsWith('src/') ||
    /^src\/(?:(?:cli|action|index|browser)|workspace\/render\/render-worker)\.ts$/.test(file),
);
const TESTS = readSources('test');
/** What Go says in words that no finding repeats; recordings are compared with it. */
const COMPARED = [
  'yamlToJson',
  'strictError',
  'strictDecodingMessage',
  'OBJECT_TYPE',
  'JSON_PATCH_TYPE',
  'isLeapYear',
  'podSecurityVersion',
];
const MOST_ARROWS = 69;

describe('the files', () => {
  it('are found, with their imports', () => {
    expect(SOURCES.size).toBeGreaterThan(500);
    expect(sourceGraph(SOURCES).imports.length).toBeGreaterThan(2000);
  });

  it('keep the rules between rooms', async () => {
    expect(await violations(SOURCES)).toEqual([]);
  });

  it('have few arrows between rooms', () => {
    // Go's standard library, and the release, are for whoever needs them.
    const arrows = roomArrows(sourceGraph(SOURCES)).filter((arrow) => !/ > (?:go|version)$/.test(arrow));
    expect(arrows.length, arrows.join('\n')).toBeGreaterThan(20);
    expect(arrows.length, arrows.join('\n')).toBeLessThanOrEqual(MOST_ARROWS);
  });

  it('lie in folders: few are loose beside folders', () => {
    const loose = looseFiles(SOURCES.keys());
    expect(loose.length, loose.join('\n')).toBeGreaterThan(5);
    expect(loose.length, loose.join('\n')).toBeLessThan(20);
    expect(loose.filter((file) => file.startsWith('src/pipeline/')).length).toBeLessThanOrEqual(6);
  });

  it('export no name for two things', () => {
    expect(sharedNames(SOURCES)).toEqual([]);
  });

  it('export nothing that only tests use', () => {
    const unused = unusedExports(WITH_SCRIPTS, TESTS);
    expect(unused.filter((line) => !COMPARED.some((name) => line.includes(` exports ${name}, `)))).toEqual([]);
  });

  it('are all part of the program', () => {
    expect(unreachedFiles(WITH_SCRIPTS, STARTS)).toEqual([]);
  });

  it('open with one sentence on their responsibility', () => {
    const wrong = [...SOURCES].filter(([, text]) => !/^(?:#!.*\n)?\/\/ \S.*\.\n/.test(text)).map(([file]) => file);
    expect(wrong).toEqual([]);
  });

  it('stay within 500 lines unless they say they are a table or generated', () => {
    const long = [...SOURCES].filter(([, text]) => {
      const lines = text.split('\n');
      return lines.length > 500 && !/table|generated/i.test(lines[0] as string);
    });
    expect(long.map(([file]) => file)).toEqual([]);
  });

  it('extend no String: V8 then looks up the methods of all strings of the program each time they are called', () => {
    expect([...SOURCES].filter(([, text]) => /\bextends\s+String\b/.test(text)).map(([file]) => file)).toEqual([]);
  });

  it('have no drawer for everything', () => {
    const drawers = /(?:^|[/-])(?:util|utils|helper|helpers|common|misc|manager)(?:[./-])/;
    expect([...SOURCES.keys()].filter((file) => drawers.test(file))).toEqual([]);
  });
});

/** The files of src/ with some of them added, or with lines put before what they hold. */
function planted(files: Readonly<Record<string, string>>): Sources {
  const changed = new Map(SOURCES);
  for (const [file, text] of Object.entries(files)) changed.set(file, `${text}\n${SOURCES.get(file) ?? ''}`);
  return changed;
}

describe('a planted violation is seen', () => {
  const VALIDATING = 'policy/admission/validating/validating-language.ts';
  const cases: Readonly<Record<string, { readonly files: Readonly<Record<string, string>>; readonly seen: RegExp }>> = {
    'a module of Node in a low room': {
      files: { 'src/source/yaml/locator.ts': "import { join } from 'node:path';" },
      seen: /^the pipeline reaches node:path: src\/pipeline\/.* → src\/source\/yaml\/locator\.ts$/,
    },
    'a list spread over arguments': {
      files: { 'src/go/strconv/quote.ts': 'longer.push(first, ...more.map(String));' },
      seen: /^src\/go\/strconv\/quote\.ts:1 spreads a list over arguments/,
    },
    'an end that a regular expression looks for': {
      files: { 'src/go/strconv/quote.ts': "const bare = url.replace(/\\/+$/, '');" },
      seen: /^src\/go\/strconv\/quote\.ts:1 looks for an end/,
    },
    'a list spread over the arguments of Math.max': {
      files: { 'src/go/strconv/quote.ts': 'Math.max(0, ...lengths);' },
      seen: /^src\/go\/strconv\/quote\.ts:1 spreads a list over arguments/,
    },
    'a module of Node under its old name': {
      files: { 'src/go/strconv/quote.ts': "import fs from 'fs';" },
      seen: /^the pipeline reaches fs: /,
    },
    'a module of Node behind a room that may have it': {
      files: { 'src/pipeline/check/shard.ts': "import { readFile } from '../../workspace/files/read-file.ts';" },
      seen: /^the pipeline reaches node:fs.*: src\/pipeline\/check\/shard\.ts → src\/workspace\/files\/read-file\.ts$/,
    },
    'a module of Node that is loaded later': {
      files: { 'src/pipeline/check-state.ts': "export const later = () => import('node:fs');" },
      seen: /^the pipeline reaches node:fs: src\/pipeline\/check-state\.ts$/,
    },
    'a package that nobody has looked at': {
      files: { 'src/settings/path-filter.ts': "import { exec } from '@actions/exec';" },
      seen: /^the pipeline reaches @actions\/exec: /,
    },
    'a module of Node in a pure file that nothing reaches': {
      files: { 'src/inventory/new-file.ts': "import { hostname } from 'node:os';" },
      seen: /^src\/inventory\/new-file\.ts imports node:os: its room is pure$/,
    },
    'the clock': {
      files: { 'src/report/tally/verdict.ts': 'export const now = Date.now();' },
      seen: /^src\/report\/tally\/verdict\.ts uses Date\.now: src\/pipeline\//,
    },
    'the date of today': {
      files: { 'src/engine/target.ts': 'export const today = new Date();' },
      seen: /^src\/engine\/target\.ts uses new Date\(\)/,
    },
    chance: {
      files: { 'src/cel/eval/plan.ts': 'export const die = Math.random();' },
      seen: /^src\/cel\/eval\/plan\.ts uses Math\.random/,
    },
    'the environment, hidden behind a text with two slashes': {
      files: { 'src/go/net/url.ts': "export const home = ['https://example.org', process.env['HOME']];" },
      seen: /^src\/go\/net\/url\.ts uses process/,
    },
    "Node's Buffer": {
      files: { 'src/kubernetes/quantity/quantity.ts': "export const bytes = Buffer.from('');" },
      seen: /^src\/kubernetes\/quantity\/quantity\.ts uses Buffer/,
    },
    'a report that knows a policy language': {
      files: { 'src/report/finding/finding.ts': `import { validatingLanguage } from '../../${VALIDATING}';` },
      seen: /^src\/report\/finding\/finding\.ts names the policy language src\/policy\/admission\/validating\//,
    },
    'a format that reaches a policy language through the report': {
      files: { 'src/report/wording/wording.ts': `import type { X } from '../../${VALIDATING}';` },
      seen: /^src\/report\/format reaches a policy language: src\/report\/format\/.* → src\/report\/wording\/wording\.ts → /,
    },
    'a door that knows a policy language': {
      files: { 'src/door/cli/options/help.ts': `import { validatingLanguage } from '../../../${VALIDATING}';` },
      seen: /^src\/door\/cli\/options\/help\.ts names the policy language/,
    },
    'an engine that knows a policy language': {
      files: { 'src/engine/target.ts': `import type { X } from '../${VALIDATING}';` },
      seen: /^src\/engine\/target\.ts names the policy language/,
    },
    'a pipeline that knows a policy language outside its list': {
      files: { 'src/pipeline/check-state.ts': `import { validatingLanguage } from '../${VALIDATING}';` },
      seen: /^src\/pipeline\/check-state\.ts names the policy language/,
    },
    'a policy language that borrows from another': {
      files: { 'src/policy/kyverno/rule.ts': "import { decision } from '../admission/validating/decision.ts';" },
      seen: /^src\/policy\/kyverno\/rule\.ts names the policy language src\/policy\/admission\/validating\/decision\.ts$/,
    },
    'a mutating policy that borrows from a validating one': {
      files: { 'src/policy/admission/mutating/mutation.ts': "import { decision } from '../validating/decision.ts';" },
      seen: /^src\/policy\/admission\/mutating\/mutation\.ts names the policy language/,
    },
    'a generic room that knows who uses it': {
      files: { 'src/policy/admission/generic/params.ts': "import { decision } from '../validating/decision.ts';" },
      seen: /^src\/policy\/admission\/generic reaches a policy language/,
    },
    'a new folder': {
      files: { 'src/surprise/thing.ts': '// A surprise.' },
      seen: /^src\/surprise has no row in test\/architecture\/rooms\.ts$/,
    },
    'a new folder inside a room': {
      files: { 'src/cel/surprise/thing.ts': '// A surprise.' },
      seen: /^src\/cel\/surprise has no row/,
    },
    'a file at top level': {
      files: { 'src/surprise.ts': '// A surprise.' },
      seen: /^src\/surprise\.ts is neither a door nor the version/,
    },
    'an arrow upward': {
      files: { 'src/cel/eval/plan.ts': "import type { Resource } from '../../kubernetes/api/resource.ts';" },
      seen: /^src\/cel\/eval\/plan\.ts imports src\/kubernetes\/api\/resource\.ts, which is in a room above it$/,
    },
    'an arrow that points down, but that the row forbids': {
      files: {
        'src/report/format/text/text.ts': "import type { Resource } from '../../../kubernetes/api/resource.ts';",
      },
      seen: /^src\/report\/format\/text\/text\.ts imports .*, which the row of report\/format\/text forbids$/,
    },
    'an arrow inside a room that the row forbids': {
      files: { 'src/cel/syntax/parser.ts': "import type { Plan } from '../eval/plan.ts';" },
      seen: /^src\/cel\/syntax\/parser\.ts imports .*, which the row of cel\/syntax forbids$/,
    },
    'an import of a door': {
      files: { 'src/door/cli/options/help.ts': "import '../../../cli.ts';" },
      seen: /^src\/door\/cli\/options\/help\.ts imports the door src\/cli\.ts$/,
    },
    'an import of what is not there': {
      files: { 'src/door/cli/options/help.ts': "import { x } from './not-there.ts';" },
      seen: /^src\/door\/cli\/options\/help\.ts imports src\/door\/cli\/options\/not-there\.ts, which is not there$/,
    },
    'a cycle of files': {
      files: {
        'src/inventory/one.ts': "import { two } from './two.ts';",
        'src/inventory/two.ts': "export { one } from './one.ts';",
      },
      seen: /^files import each other: .*one\.ts → .*two\.ts → .*one\.ts$/,
    },
    'a cycle of rooms': {
      files: { 'src/go/strconv/quote.ts': "import type { Node } from '../../source/node/node.ts';" },
      seen: /^rooms import each other: .*go/,
    },
  };

  for (const [name, { files, seen }] of Object.entries(cases)) {
    test(name, async () => {
      expect(await violations(planted(files))).toContainEqual(expect.stringMatching(seen));
    });
  }

  test('a name for two things', () => {
    expect(sharedNames(planted({ 'src/report/baseline/excuse.ts': 'export interface SourceFile {}' }))).toEqual([
      'SourceFile: src/report/baseline/excuse.ts, src/source/text/source-file.ts',
    ]);
  });

  test('a name for two things of one policy language, or of one and what it stands on', () => {
    const named = (...files: readonly string[]) =>
      sharedNames(new Map(files.map((file) => [file, 'export class CompiledThing {}'])));
    expect(named('src/policy/kyverno/a.ts', 'src/policy/kyverno/rule/b.ts')).toHaveLength(1);
    expect(named('src/policy/kyverno/a.ts', 'src/policy/matching/b.ts')).toHaveLength(1);
    expect(named('src/policy/kyverno/a.ts', 'src/policy/admission/validating/b.ts')).toEqual([]);
  });

  test('an export without a use, and one whose only use is in its own file', () => {
    const sources = planted({
      'src/report/baseline/excuse.ts': 'export const one = 1;\nexport const two = 2;\nexport const three = [two];',
    });
    const tests = new Map([['test/a.test.ts', "import { three } from '../src/report/baseline/excuse.ts';"]]);
    const seen = unusedExports(sources, tests).filter((line) => line.startsWith('src/report/baseline/excuse.ts'));
    expect(seen).toEqual([
      'src/report/baseline/excuse.ts exports one, which nothing uses',
      'src/report/baseline/excuse.ts exports two, which no other file uses',
      'src/report/baseline/excuse.ts exports three, which only tests use',
    ]);
  });

  test('a file that only a test would import', () => {
    expect(unreachedFiles(planted({ 'src/report/lonely.ts': '' }), STARTS)).toContain('src/report/lonely.ts');
  });
});

describe('what is no violation', () => {
  test.each([
    ['a name in a comment, a text or a type', "// process.env\nexport type Buffer = 'console.log()';"],
    ['a name of its own', 'export function f(process: string, console = 1) { return [process, console]; }'],
    ['a moment made from a given one', 'export const day = new Date(0), other = Date.UTC(2026, 1);'],
    ['what every runtime has', 'export const engine = (globalThis as unknown as { WebAssembly: object }).WebAssembly;'],
    ['a member of that name', 'export const time = (o: { performance: number }) => o.performance;'],
  ])('%s', async (_, text) => {
    expect(await violations(planted({ 'src/report/tally/verdict.ts': text }))).toEqual(await violations(SOURCES));
  });
});
