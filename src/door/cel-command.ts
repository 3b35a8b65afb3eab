// `preadmit cel`: one expression looked at closely, or a batch of JSON lines.
import { sanitizeLine } from '../diagnostic/sanitize.ts';
import { DEFAULT_VERSION, parseKubernetesVersion } from '../kubernetes/version.ts';
import { CelBatch, describeExpression } from './describe-expression.ts';
import { EXIT } from './exit-code.ts';
import { CEL_OPTIONS } from './option-table.ts';
import { parseArguments } from './parse-arguments.ts';
import { type Terminal, usageError } from './terminal.ts';

export async function celCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(args, CEL_OPTIONS);
  if ('problems' in parsed) return usageError(parsed.problems, terminal);
  const { paths: expressions, flags, texts } = parsed.arguments;
  const written = texts.get('kubernetes-version');
  const version = written === undefined ? DEFAULT_VERSION : parseKubernetesVersion(written);
  if (version === undefined) return usageError([`\`${written}\` is no Kubernetes version, such as 1.36`], terminal);
  if (flags.has('batch')) {
    const batch = new CelBatch(version);
    for await (const line of terminal.lines()) {
      if (line.trim() !== '') terminal.out(`${batch.answer(line)}\n`);
    }
    return EXIT.allowed;
  }
  const [expression, ...more] = expressions;
  if (expression === undefined || more.length > 0) {
    return usageError(["expected one expression: `preadmit cel '<expression>'`, or `--batch`"], terminal);
  }
  const object = texts.get('object');
  const description = await describeExpression(expression, {
    directory: terminal.directory,
    kubernetesVersion: version,
    explain: flags.has('explain'),
    ...(object !== undefined && { object }),
  });
  terminal.out(description.split('\n').map(sanitizeLine).join('\n'));
  return EXIT.allowed;
}
