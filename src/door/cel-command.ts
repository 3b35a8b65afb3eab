// `preadmit cel`: one expression looked at closely, or a batch of JSON lines.
import { sanitizeLine } from '../diagnostic/sanitize.ts';
import { CelBatch } from '../kubernetes/cel/cel-batch.ts';
import { askedVersion } from './asked-version.ts';
import { describeExpression } from './describe-expression.ts';
import { EXIT } from './exit-code.ts';
import { CEL_OPTIONS } from './option-table.ts';
import { parseArguments } from './parse-arguments.ts';
import { type Terminal, usageError } from './terminal.ts';

export async function celCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(args, CEL_OPTIONS);
  if ('problems' in parsed) return usageError(parsed.problems, terminal);
  const { paths: expressions, flags, texts } = parsed.arguments;
  const version = askedVersion(texts.get('kubernetes-version'));
  if (flags.has('batch')) return answerBatch(expressions, new CelBatch(version), terminal);
  const [expression, ...more] = expressions;
  if (expression === undefined || more.length > 0) {
    return usageError(["expected one expression: `preadmit cel '<expression>'`, or `--batch`"], terminal);
  }
  const object = texts.get('object');
  const { description, hasValue, remarks } = await describeExpression(expression, {
    directory: terminal.directory,
    kubernetesVersion: version,
    explain: flags.has('explain'),
    isMutation: flags.has('mutation'),
    ...(object !== undefined && { object }),
  });
  for (const remark of remarks) terminal.err(`preadmit: ${sanitizeLine(remark)}\n`);
  terminal.out(description.split('\n').map(sanitizeLine).join('\n'));
  return hasValue ? EXIT.allowed : EXIT.noValue;
}

async function answerBatch(expressions: readonly string[], batch: CelBatch, terminal: Terminal): Promise<number> {
  const [unexpected] = expressions;
  if (unexpected !== undefined) {
    return usageError([`unexpected \`${unexpected}\`: with \`--batch\` expressions come on standard input`], terminal);
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
