// Reads the `core.sshCommand` of actions/checkout, and accepts only commands that cannot run another program.

/** Options for keys and trusted hosts. Others, such as `ProxyCommand` and `LocalCommand`, run programs. */
const HARMLESS_OPTIONS: ReadonlySet<string> = new Set([
  'stricthostkeychecking',
  'checkhostip',
  'userknownhostsfile',
  'identitiesonly',
  'batchmode',
]);
const PROGRAM = /^(?:\/[\w./-]*\/)?ssh$/;

/** The command with every word quoted; undefined if it contains more than `ssh`, keys (`-i`) and harmless options (`-o`). */
export function harmlessSshCommand(command: string): string | undefined {
  const words = wordsOf(command);
  const [program, ...rest] = words ?? [];
  if (program === undefined || !PROGRAM.test(program)) return undefined;
  for (let index = 0; index < rest.length; index += 2) {
    const [flag, value] = [rest[index], rest[index + 1]];
    if (value === undefined) return undefined;
    const [name = ''] = value.split('=');
    const isHarmless = flag === '-i' || (flag === '-o' && HARMLESS_OPTIONS.has(name.toLowerCase()));
    if (!isHarmless) return undefined;
  }
  return [program, ...rest].map((word) => `'${word}'`).join(' ');
}

/** Splits words as a shell does, if only spaces and quotes have a special meaning; otherwise undefined. */
function wordsOf(command: string): readonly string[] | undefined {
  const words: string[] = [];
  const pattern = /\s*(?:"([^"$`\\!']*)"|'([^']*)'|([\w@%+=:,./~-]+))(?=\s|$)/gy;
  let end = 0;
  for (let match = pattern.exec(command); match !== null; match = pattern.exec(command)) {
    words.push(match[1] ?? match[2] ?? match[3] ?? '');
    end = pattern.lastIndex;
  }
  return command.slice(end).trim() === '' ? words : undefined;
}
