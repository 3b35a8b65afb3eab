// `preadmit mutate`: prints the repository's objects after mutating policies, or writes the changes into the files.
import { lstat, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import { describeMutations, entryLabel, writeLabel } from '../../../pipeline/mutate/describe-mutations.ts';
import { type RewrittenFile, type RewrittenState, rewriteState } from '../../../pipeline/mutate/mutate-state.ts';
import { MUTATION_FORMATS, type MutationFormat } from '../../../pipeline/mutate/mutation-format.ts';
import { count } from '../../../report/wording/wording.ts';
import { reasonOf, WorkspaceError } from '../../../workspace/workspace-error.ts';
import { askRepository } from '../../run/check-repository.ts';
import { EXIT } from '../../run/exit-code.ts';
import { MUTATE_OPTIONS } from '../options/option-table.ts';
import { parseArguments } from '../options/parse-arguments.ts';
import { stoppedBy } from '../stopped-by.ts';
import { type Terminal, usageError } from '../terminal.ts';
import { checkOptions } from './check-command.ts';

/** Exits with 1 if a change cannot be written back or a policy fails. */
export async function mutateCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(args, MUTATE_OPTIONS);
  if ('problems' in parsed) return usageError(parsed.problems, terminal);
  const { flags, texts } = parsed.arguments;
  const format = MUTATION_FORMATS.find((name) => name === (texts.get('format') ?? 'yaml')) as MutationFormat;
  const options = { ...checkOptions(parsed.arguments, terminal), baseline: null };
  const asked = await askRepository(options, (input, root) => ({ rewritten: rewriteState(input), root }));
  if ('stopped' in asked) return stoppedBy(asked.stopped, terminal);
  const { rewritten, root } = asked.answer;
  const say = (line: string): void => terminal.err(`preadmit: ${sanitizeLine(line)}\n`);
  if (flags.has('write')) {
    for (const file of rewritten.files) {
      await write(root, file);
      terminal.out(`${sanitizeLine(`wrote ${file.file.path}`)}\n`);
    }
  } else terminal.out(describeMutations(rewritten, format).split('\n').map(sanitizeLine).join('\n'));
  return reportLeftOut(rewritten, say);
}

/** Reports on standard error what the output omits. Returns the exit code. */
function reportLeftOut({ state, left }: RewrittenState, say: (line: string) => void): number {
  for (const { resource, text: note } of state.notes) say(`${entryLabel({ resource })}: ${note}`);
  for (const entry of state.entries) {
    for (const write of entry.writes) {
      const reason = left.get(write);
      if (reason !== undefined) {
        say(`${entryLabel(entry, entry.namespace)}: not written: ${writeLabel(write)}: ${reason}`);
      }
    }
  }
  const changed = new Set(state.entries.map(({ resource }) => resource)).size;
  say(`${changed} of ${count(state.evaluated, 'object')} changed by policies`);
  return left.size > 0 || state.notes.length > 0 ? EXIT.denied : EXIT.allowed;
}

/** Writes only if the file still has the text that was read, is UTF-8, and no symbolic link leads out of the repository. */
async function write(root: string, { file, text: written }: RewrittenFile): Promise<void> {
  const path = join(root, file.path);
  const fail = (reason: string, cause?: unknown): never => {
    throw new WorkspaceError('unwritable', `cannot write \`${file.path}\`: ${reason}`, { cause });
  };
  try {
    if (!(await lstat(path)).isFile()) fail('it is no longer a regular file');
    if (!(await readFile(path)).equals(Buffer.from(file.text)))
      fail('it changed since it was read, or it is not UTF-8');
    await writeFile(path, written);
  } catch (problem) {
    if (problem instanceof WorkspaceError) throw problem;
    fail(reasonOf(problem), problem);
  }
}
