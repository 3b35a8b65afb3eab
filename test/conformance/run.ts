// `npm run conformance`: the scoreboard of all suites. `-- SUITE…`: of some suites. `-- --answer SUITE FILE`: Preadmit's answers to a file.
// Other commands measure given repositories; see CONTRIBUTING.md.
import { describeRendering } from './corpus-rendering.ts';
import { describeRoots } from './corpus-roots.ts';
import { runFirstDays } from './first-day.ts';
import { scoreKyvernoSuites } from './kyverno-suites.ts';
import { converse } from './language-server.ts';
import { listMergedRefusals } from './merged-refusals.ts';
import { ledgerOpenFields } from './open-fields.ts';
import { comparePlainCheck } from './plain-check.ts';
import { comparePorts } from './ports/differences.ts';
import { tryPortMutants } from './ports/mutants.ts';
import { recordSamples } from './ports/sample.ts';
import { readLines } from './recordings.ts';
import { compareRenderedFolders } from './render-folder.ts';
import { RENDERED } from './rendered.ts';
import { compareStoredObjects } from './stored-objects.ts';
import { agrees, SUITES, type Suite } from './suites.ts';
import { describeWriteBack } from './write-back.ts';

function answer(name: string | undefined, file: string | undefined): number {
  const suite = SUITES.find((candidate) => candidate.name === name);
  if (suite === undefined || file === undefined) {
    console.error(`usage: npm run -s conformance -- --answer <${SUITES.map((known) => known.name).join('|')}> FILE`);
    return 2;
  }
  const answerLine = suite.start();
  for (const line of readLines(file)) process.stdout.write(`${answerLine(line)}\n`);
  return 0;
}

function score(suite: Suite): string {
  const lines = suite.lines();
  if (lines === undefined) return `${suite.name.padEnd(14)} absent: ${suite.source}`;
  const answerLine = suite.start();
  const failed = lines.filter((line) => !agrees(suite, line, answerLine(line)));
  const passed = lines.length - failed.length;
  const share = ((passed / lines.length) * 100).toFixed(2);
  const names = failed.map((line) => {
    const { id, expr } = JSON.parse(line) as { id?: string; expr?: string };
    return `  ${id ?? expr}`;
  });
  return [`${suite.name.padEnd(14)} ${passed} of ${lines.length} (${share} %)`, ...names].join('\n');
}

/** For all suites, or the named ones. */
function scoreboard(names: readonly string[]): number {
  const unknown = names.find((wanted) => !SUITES.some((suite) => suite.name === wanted));
  if (unknown !== undefined) {
    console.error(`no suite is called ${unknown}; there are ${SUITES.map((suite) => suite.name).join(', ')}`);
    return 2;
  }
  for (const suite of SUITES) if (names.length === 0 || names.includes(suite.name)) console.log(score(suite));
  return 0;
}

/** Each returns the exit status. */
const COMMANDS: Readonly<Record<string, (given: readonly string[]) => number | Promise<number>>> = {
  '--answer': ([name, file]) => answer(name, file),
  'kyverno-suites': ([folder = '.']) => Number(!scoreKyvernoSuites(folder)),
  'first-day': async (folders) => Number(!(await runFirstDays(folders))),
  'open-fields': ([samples = '1000']) => Number(!ledgerOpenFields(Number(samples))),
  'plain-check': ([count = '1000000', start = '0', program]) =>
    comparePlainCheck(Number(count), Number(start), program),
  ports: async ([wanted, count = '10000', seed = '1']) =>
    Number((await comparePorts(wanted, Number(count), Number(seed))) > 0),
  'stored-objects': (folders) => compareStoredObjects(folders),
  'port-mutants': async ([count = '200', seed = '1', ...others]) => {
    const wanted = others.find((each) => each !== 'grow');
    return Number((await tryPortMutants(Number(count), Number(seed), wanted, others.includes('grow'))) < 0.9);
  },
  'record-ports': async ([wanted, candidates = '1000', covered]) => {
    await recordSamples(wanted, Number(candidates), covered === 'covered');
    return 0;
  },
  'merged-refusals': async (folders) => {
    await listMergedRefusals(folders);
    return 0;
  },
  lsp: async ([folder]) => Number(!(await converse(folder))),
  'render-folder': () => {
    console.log(compareRenderedFolders()?.join('\n') ?? `absent: ${RENDERED}`);
    return 0;
  },
  'write-back': async (folders) => {
    let isUnharmed = true;
    for (const folder of folders) isUnharmed = (await describeWriteBack(folder)) && isUnharmed;
    return Number(!isUnharmed);
  },
  'corpus-rendering': async ([first = '', ...rest]) => {
    if (first !== '--as-written') {
      console.log((await describeRoots([first, ...rest])).join('\n'));
      return 0;
    }
    for (const folder of rest) console.log((await describeRendering(folder)).join('\n'));
    return 0;
  },
};

const [first = '', ...rest] = process.argv.slice(2);
process.exitCode = await (COMMANDS[first]?.(rest) ?? scoreboard(process.argv.slice(2)));
