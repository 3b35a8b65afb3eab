// `preadmit cel`: evaluates one expression, the expressions of a policy, a REPL session or a batch of JSON lines.
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import { CelBatch } from '../../../kubernetes/cel/cel-batch.ts';
import { describeAnswer } from '../../../kubernetes/cel/describe-answer.ts';
import { plainValue } from '../../../kubernetes/cel/plain-value.ts';
import { withoutSecrets } from '../../../kubernetes/secret/secret-object.ts';
import type { TriedAnswer, TriedExpressions } from '../../../pipeline/tried-expressions.ts';
import { blockLines } from '../../../source/edit/yaml-text.ts';
import type { JsonValue } from '../../../source/json/json.ts';
import { prettyJson } from '../../../source/json/pretty-json.ts';
import { askedVersion } from '../../run/asked-version.ts';
import { EXIT } from '../../run/exit-code.ts';
import { CEL_OPTIONS, type VALUE_FORMATS } from '../options/option-table.ts';
import { parseArguments } from '../options/parse-arguments.ts';
import { type Terminal, usageError } from '../terminal.ts';
import { triedExpressions } from './cel-inputs.ts';

type ValueFormat = (typeof VALUE_FORMATS)[number];

export async function celCommand(args: readonly string[], given: Terminal): Promise<number> {
  const parsed = parseArguments(args, CEL_OPTIONS);
  if ('problems' in parsed) return usageError(parsed.problems, given);
  const { paths: expressions, flags, texts } = parsed.arguments;
  if (flags.has('batch')) {
    return answerBatch(expressions, new CelBatch(askedVersion(texts.get('kubernetes-version'))), given);
  }
  const [expression, ...more] = expressions;
  const isListed = texts.has('policy') || flags.has('repl');
  if (more.length > 0 || (expression === undefined && !isListed) || (expression !== undefined && flags.has('repl'))) {
    const forms = "`preadmit cel '<expression>'`, or one of `--policy <file>`, `--repl` and `--batch` without one";
    return usageError([`expected one expression: ${forms}`], given);
  }
  const tried = await triedExpressions(parsed.arguments, given.directory);
  const terminal = withoutSecretsOf(tried, given);
  for (const remark of tried.remarks) terminal.err(`preadmit: ${sanitizeLine(remark)}\n`);
  const format = (texts.get('format') ?? 'text') as ValueFormat;
  if (flags.has('repl')) return converse(tried, { format, explains: flags.has('explain') }, terminal);
  if (expression === undefined) return answerPolicy(tried, format, terminal);
  const answer = tried.answer(expression, flags.has('explain'));
  show(answer, tried.expressionOf(expression), format, terminal);
  return answer.value === undefined ? EXIT.noValue : EXIT.allowed;
}

/** The values of Secrets that are bound to variables are hidden. */
function withoutSecretsOf({ secrets }: TriedExpressions, terminal: Terminal): Terminal {
  return {
    ...terminal,
    out: (text) => terminal.out(withoutSecrets(text, secrets)),
    err: (text) => terminal.err(withoutSecrets(text, secrets)),
  };
}

function show(answer: TriedAnswer, expression: string, format: ValueFormat, terminal: Terminal): void {
  const isValue = answer.value !== undefined && format !== 'text';
  const lines = isValue ? valueLines(plainValue(answer.value), format) : describeAnswer(answer, expression);
  // With `--format json` or `yaml`, standard output holds only the value.
  const write = format === 'text' || isValue ? terminal.out : terminal.err;
  write(`${linesOf(lines).map(sanitizeLine).join('\n')}\n`);
  for (const help of answer.help) write(`help: ${sanitizeLine(help)}\n`);
  sayAbsent([answer], terminal);
}

function sayAbsent(answers: readonly TriedAnswer[], terminal: Terminal): void {
  for (const text of new Set(answers.flatMap(({ absent }) => absent))) terminal.err(`preadmit: ${text}\n`);
}

function linesOf(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split('\n'));
}

function valueLines(value: JsonValue, format: ValueFormat): readonly string[] {
  return format === 'yaml' ? blockLines(value, 0, { step: 2, dash: 0 }) : [prettyJson(value)];
}

/** Every expression of the policy, in the server's evaluation order. An error in one does not stop the others. */
function answerPolicy(tried: TriedExpressions, format: ValueFormat, terminal: Terminal): number {
  const answers = tried.named.map(({ name }) => ({ name, answer: tried.answer(name, false) }));
  if (format !== 'text') {
    const values = answers.map(({ name, answer }): readonly [string, JsonValue] => [name, outcome(answer)]);
    terminal.out(
      `${linesOf(valueLines(new Map(values), format))
        .map(sanitizeLine)
        .join('\n')}\n`,
    );
  } else {
    const width = answers.reduce((longest, { name }) => Math.max(longest, name.length), 0);
    for (const { name, answer } of answers) {
      const failure = failureOf(answer);
      const text = failure === undefined ? prettyJson(plainValue(answer.value)).replace(/\n */g, ' ') : failure;
      const [first = '', ...rest] = text.split('\n');
      terminal.out(`${sanitizeLine(`${name.padEnd(width)}  ${first}`)}\n`);
      for (const line of rest) terminal.out(`${' '.repeat(width + 2)}${sanitizeLine(line)}\n`);
      for (const help of answer.help) terminal.out(`${' '.repeat(width + 2)}help: ${sanitizeLine(help)}\n`);
    }
  }
  sayAbsent(
    answers.map(({ answer }) => answer),
    terminal,
  );
  return answers.some(({ answer }) => answer.value === undefined) ? EXIT.noValue : EXIT.allowed;
}

function outcome(answer: TriedAnswer): JsonValue {
  const failure = failureOf(answer);
  return new Map<string, JsonValue>(
    failure === undefined ? [['value', plainValue(answer.value)]] : [['error', failure]],
  );
}

function failureOf({ compileError, programError, error }: TriedAnswer): string | undefined {
  return compileError ?? programError ?? (error === undefined ? undefined : `error: ${error}`);
}

interface Conversation {
  readonly format: ValueFormat;
  readonly explains: boolean;
}

/** Runs until the input ends. A failing expression does not end the session. */
async function converse(
  tried: TriedExpressions,
  { format, explains }: Conversation,
  terminal: Terminal,
): Promise<number> {
  // Names like `variables.x` are left out: field completion offers them.
  const names = tried.named.flatMap(({ name }) => (name.startsWith('variables.') ? [] : [name]));
  const words = [...COMMAND_WORDS, ...names];
  const complete = (line: string): readonly [readonly string[], string] => {
    const { range, names: known } = tried.completions(line, line.length);
    const written = line.slice(range.start);
    const found = known.flatMap(({ name }) => (name.startsWith(written) ? [name] : []));
    const ofLine = line === '' ? [] : words.filter((word) => word.startsWith(line));
    return ofLine.length > 0 && range.start > 0 ? [ofLine, line] : [[...ofLine, ...found], written];
  };
  if (terminal.prompt !== undefined) terminal.out(`${GREETING}\n`);
  let isExplaining = explains;
  for await (const line of terminal.prompt?.({ text: 'cel> ', complete }) ?? terminal.lines()) {
    const text = line.trim();
    if (text === '') continue;
    if (text === ':quit') break;
    if (text === ':explain') {
      isExplaining = !isExplaining;
      terminal.out(isExplaining ? 'explanations on\n' : 'explanations off\n');
    } else if (text === ':names') {
      for (const { name, site } of tried.named) {
        terminal.out(`${sanitizeLine(`${name}  ${site.expression.trim().replace(/\s+/g, ' ')}`)}\n`);
      }
      if (tried.named.length === 0) terminal.out('no policy is loaded: use `--policy <file>`\n');
    } else if (text.startsWith(':')) {
      terminal.out(`unknown \`${sanitizeLine(text)}\`: ${GREETING}\n`);
    } else {
      show(tried.answer(text, isExplaining), tried.expressionOf(text), format, { ...terminal, err: terminal.out });
    }
  }
  return EXIT.allowed;
}

const COMMAND_WORDS: readonly string[] = [':names', ':explain', ':quit'];
const GREETING = "`:names` lists the policy's expressions, `:explain` turns explanations on or off, `:quit` exits";

async function answerBatch(expressions: readonly string[], batch: CelBatch, terminal: Terminal): Promise<number> {
  const [unexpected] = expressions;
  if (unexpected !== undefined) {
    return usageError([`unexpected \`${unexpected}\`: \`--batch\` reads expressions from standard input`], terminal);
  }
  let status: number = EXIT.allowed;
  for await (const line of terminal.lines()) {
    if (line.trim() === '') continue;
    const answer = batch.answer(line);
    terminal.out(`${JSON.stringify(answer)}\n`);
    if ('inputError' in answer) status = EXIT.usage;
  }
  return status;
}
