// Tests the import rules of ARCHITECTURE.md, and that planted violations are found.
import { describe, expect, it, test } from 'vitest';
import { sharedNames, unreachedFiles, unusedExports } from './architecture/exported-names.ts';
import { looseFiles } from './architecture/rooms.ts';
import { readSources, type Sources, sourceGraph } from './architecture/source-graph.ts';
import { roomArrows, violations } from './architecture/violations.ts';

const SOURCES = readSources('src');
/** Everything that runs code of src/, except tests. */
const WITH_SCRIPTS = new Map([...SOURCES, ...readSources('scripts', 'bench')]);
const STARTS = [...WITH_SCRIPTS.keys()].filter(
  (file) =>
    !file.startsWith('src/') ||
    /^src\/(?:(?:cli|action|index|browser)|workspace\/render\/render-worker)\.ts$/.test(file),
);
const TESTS = readSources('test');
/** Go's messages that no finding repeats; conformance recordings are compared with them. */
const COMPARED = [
  'yamlToJson',
  'strictError',
  'strictDecodingMessage',
  'OBJECT_TYPE',
  'JSON_PATCH_TYPE',
  'isLeapYear',
  'podSecurityVersion',
];
/** The sandbox and the validation of the server are rooms of their own, below what uses them. */
const MOST_ARROWS = 79;

describe('the files', () => {
  it('are found, with their imports', () => {
    expect(SOURCES.size).toBeGreaterThan(500);
    expect(sourceGraph(SOURCES).imports.length).toBeGreaterThan(2000);
  });

  it('follow the rules between rooms', async () => {
    expect(await violations(SOURCES)).toEqual([]);
  });

  it('have few dependencies between rooms', () => {
    // All rooms may use Go's standard library and the release.
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

  it('export each name for one purpose only', () => {
    expect(sharedNames(SOURCES)).toEqual([]);
  });

  it('export nothing that only tests use', () => {
    const unused = unusedExports(WITH_SCRIPTS, TESTS);
    expect(unused.filter((line) => !COMPARED.some((name) => line.includes(` exports ${name}, `)))).toEqual([]);
  });

  it('are all part of the program', () => {
    expect(unreachedFiles(WITH_SCRIPTS, STARTS)).toEqual([]);
  });

  it('start with one sentence on their responsibility', () => {
    const wrong = [...SOURCES].filter(([, text]) => !/^(?:#!.*\n)?\/\/ \S.*\.\n/.test(text)).map(([file]) => file);
    expect(wrong).toEqual([]);
  });

  it('have at most 500 lines unless they are marked as a table or generated', () => {
    const long = [...SOURCES].filter(([, text]) => {
      const lines = text.split('\n');
      return lines.length > 500 && !/table|generated/i.test(lines[0] as string);
    });
    expect(long.map(([file]) => file)).toEqual([]);
  });

  it('do not extend String: V8 then looks up the methods of all strings of the program on each call', () => {
    expect([...SOURCES].filter(([, text]) => /\bextends\s+String\b/.test(text)).map(([file]) => file)).toEqual([]);
  });

  it('have no catch-all folder', () => {
    const drawers = /(?:^|[/-])(?:util|utils|helper|helpers|common|misc|manager)(?:[./-])/;
    expect([...SOURCES.keys()].filter((file) => drawers.test(file))).toEqual([]);
  });
});

/** The files of src/ with added files, or with lines inserted at the start. */
function planted(files: Readonly<Record<string, string>>): Sources {
  const changed = new Map(SOURCES);
  for (const [file, text] of Object.entries(files)) changed.set(file, `${text}\n${SOURCES.get(file) ?? ''}`);
  return changed;
}

describe('a planted violation is found', () => {
  const VALIDATING = 'policy/admission/validating/validating-language.ts';
  const cases: Readonly<Record<string, { readonly files: Readonly<Record<string, string>>; readonly seen: RegExp }>> = {
    'a Node module in a low room': {
      files: { 'src/source/yaml/locator.ts': "import { join } from 'node:path';" },
      seen: /^the pipeline reaches node:path: src\/pipeline\/.* → src\/source\/yaml\/locator\.ts$/,
    },
    'a list spread over arguments': {
      files: { 'src/go/strconv/quote.ts': 'longer.push(first, ...more.map(String));' },
      seen: /^src\/go\/strconv\/quote\.ts:1 spreads a list over arguments/,
    },
    'a slow regular expression for the end of a text': {
      files: { 'src/go/strconv/quote.ts': "const bare = url.replace(/\\/+$/, '');" },
      seen: /^src\/go\/strconv\/quote\.ts:1 looks for an end/,
    },
    'a list spread over the arguments of Math.max': {
      files: { 'src/go/strconv/quote.ts': 'Math.max(0, ...lengths);' },
      seen: /^src\/go\/strconv\/quote\.ts:1 spreads a list over arguments/,
    },
    'a Node module without the node: prefix': {
      files: { 'src/go/strconv/quote.ts': "import fs from 'fs';" },
      seen: /^the pipeline reaches fs: /,
    },
    'a Node module behind a room that may use it': {
      files: { 'src/pipeline/check/shard.ts': "import { readFile } from '../../workspace/files/read-file.ts';" },
      seen: /^the pipeline reaches node:fs.*: src\/pipeline\/check\/shard\.ts → src\/workspace\/files\/read-file\.ts$/,
    },
    'a Node module that is loaded dynamically': {
      files: { 'src/pipeline/check-state.ts': "export const later = () => import('node:fs');" },
      seen: /^the pipeline reaches node:fs: src\/pipeline\/check-state\.ts$/,
    },
    'an unknown package': {
      files: { 'src/settings/path-filter.ts': "import { exec } from '@actions/exec';" },
      seen: /^the pipeline reaches @actions\/exec: /,
    },
    'a Node module in an unreached pure file': {
      files: { 'src/inventory/new-file.ts': "import { hostname } from 'node:os';" },
      seen: /^src\/inventory\/new-file\.ts imports node:os: its room is pure$/,
    },
    'the clock': {
      files: { 'src/report/tally/verdict.ts': 'export const now = Date.now();' },
      seen: /^src\/report\/tally\/verdict\.ts uses Date\.now: src\/pipeline\//,
    },
    "today's date": {
      files: { 'src/engine/target/target.ts': 'export const today = new Date();' },
      seen: /^src\/engine\/target\/target\.ts uses new Date\(\)/,
    },
    chance: {
      files: { 'src/cel/eval/plan.ts': 'export const die = Math.random();' },
      seen: /^src\/cel\/eval\/plan\.ts uses Math\.random/,
    },
    'the environment, after a text with two slashes': {
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
    'an engine that imports a policy language': {
      files: { 'src/engine/target/target.ts': `import type { X } from '../../${VALIDATING}';` },
      seen: /^src\/engine\/target\/target\.ts names the policy language/,
    },
    'a pipeline that imports a policy language outside its list': {
      files: { 'src/pipeline/check-state.ts': `import { validatingLanguage } from '../${VALIDATING}';` },
      seen: /^src\/pipeline\/check-state\.ts names the policy language/,
    },
    'a policy language that imports another': {
      files: { 'src/policy/kyverno/rule.ts': "import { decision } from '../admission/validating/decision.ts';" },
      seen: /^src\/policy\/kyverno\/rule\.ts names the policy language src\/policy\/admission\/validating\/decision\.ts$/,
    },
    'mutating policies that import validating ones': {
      files: { 'src/policy/admission/mutating/mutation.ts': "import { decision } from '../validating/decision.ts';" },
      seen: /^src\/policy\/admission\/mutating\/mutation\.ts names the policy language/,
    },
    'a generic room that imports its users': {
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
    'an import inside a room that the row forbids': {
      files: { 'src/cel/syntax/parser.ts': "import type { Plan } from '../eval/plan.ts';" },
      seen: /^src\/cel\/syntax\/parser\.ts imports .*, which the row of cel\/syntax forbids$/,
    },
    'an import of a door': {
      files: { 'src/door/cli/options/help.ts': "import '../../../cli.ts';" },
      seen: /^src\/door\/cli\/options\/help\.ts imports the door src\/cli\.ts$/,
    },
    'an import of a missing file': {
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

  test('one name for two purposes', () => {
    expect(sharedNames(planted({ 'src/report/baseline/excuse.ts': 'export interface SourceFile {}' }))).toEqual([
      'SourceFile: src/report/baseline/excuse.ts, src/source/text/source-file.ts',
    ]);
  });

  test('one name for two purposes within a policy language or its dependencies', () => {
    const named = (...files: readonly string[]) =>
      sharedNames(new Map(files.map((file) => [file, 'export class CompiledThing {}'])));
    expect(named('src/policy/kyverno/a.ts', 'src/policy/kyverno/rule/b.ts')).toHaveLength(1);
    expect(named('src/policy/kyverno/a.ts', 'src/policy/matching/b.ts')).toHaveLength(1);
    expect(named('src/policy/kyverno/a.ts', 'src/policy/admission/validating/b.ts')).toEqual([]);
  });

  test('an unused export, and one that only its own file uses', () => {
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

describe('allowed code', () => {
  test.each([
    ['a name in a comment, a text or a type', "// process.env\nexport type Buffer = 'console.log()';"],
    ['a local name', 'export function f(process: string, console = 1) { return [process, console]; }'],
    ['a date from a given value', 'export const day = new Date(0), other = Date.UTC(2026, 1);'],
    [
      'a global of every runtime',
      'export const engine = (globalThis as unknown as { WebAssembly: object }).WebAssembly;',
    ],
    ['a member of that name', 'export const time = (o: { performance: number }) => o.performance;'],
  ])('%s', async (_, text) => {
    expect(await violations(planted({ 'src/report/tally/verdict.ts': text }))).toEqual(await violations(SOURCES));
  });
});
