// `npm run conformance`: the scoreboard of recorded truth. `-- --answer SUITE FILE` prints our own answer to every line of a file,
// `-- kyverno-suites FOLDER` runs the test suites of Kyverno's command line that a folder holds, `-- lsp [FOLDER]` talks with the language
// server about a repository.
import { scoreKyvernoSuites } from './kyverno-suites.ts';
import { converse } from './language-server.ts';
import { readLines } from './recordings.ts';
import { agrees, SUITES, type Suite } from './suites.ts';

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

const [flag, name, file] = process.argv.slice(2);
if (flag === '--answer') process.exitCode = answer(name, file);
else if (flag === 'kyverno-suites') process.exitCode = scoreKyvernoSuites(name ?? '.') ? 0 : 1;
else if (flag === 'lsp') process.exitCode = (await converse(name)) ? 0 : 1;
else for (const suite of SUITES) console.log(score(suite));
