// Completion scripts: run if the shell is installed, and in any case complete for every command and option.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/door/cli/options/command-table.ts';
import { completionScript } from '../../src/door/cli/options/shell-completion.ts';
import { needs } from '../support/evidence.ts';

needs('bash').describe('bash', () => {
  const script = completionScript('bash');

  /** Completions for the last word of each line; bash itself splits words at `=`. */
  const offers = (...lines: readonly string[]): readonly string[] => {
    const asked = lines.map((line) => {
      const words = line
        .split(' ')
        .flatMap((word) => word.split(/(=)/).filter((part, at) => part !== '' || at === 0 || word.endsWith('=')));
      const quoted = words.map((word) => `'${word}'`).join(' ');
      return `COMP_WORDS=(${quoted}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _preadmit; echo "\${COMPREPLY[*]}"`;
    });
    const { stdout, stderr } = spawnSync('bash', ['--norc'], {
      input: `${script}\n${asked.join('\n')}\n`,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return stdout.trimEnd().split('\n');
  };

  it('offers every command, and every option of each', () => {
    const [commands = '', ...options] = offers('preadmit ', ...COMMANDS.map(({ name }) => `preadmit ${name} --`));
    expect(commands.split(' ')).toEqual([...COMMANDS.map(({ name }) => name), '--help', '--version']);
    expect(options.map((line) => line.split(' '))).toEqual(
      COMMANDS.map(({ options: all }) => [...all.map(({ name }) => `--${name}`), '--help']),
    );
  });

  it('offers values, also after an equals sign', () => {
    expect(
      offers(
        'preadmit che',
        'preadmit check --fail-on ',
        'preadmit check --fail-on=w',
        'preadmit test --format j',
        'preadmit completion ',
      ),
    ).toEqual(['check', 'deny warn audit error never', 'warn', 'json junit', 'bash zsh fish']);
  });
});

describe.each(['zsh', 'fish'] as const)('%s', (shell) => {
  const script = completionScript(shell);

  it('has every command and option', () => {
    for (const { name, options } of COMMANDS) {
      const own = shell === 'zsh' ? ((script.split(`\n    ${name})\n`)[1] ?? '').split(';;')[0] ?? '') : script;
      for (const option of options) {
        expect(own).toContain(shell === 'zsh' ? `--${option.name}` : `from ${name}' -l ${option.name} `);
      }
    }
  });

  needs(shell).it(`is accepted by ${shell}, if installed`, () => {
    expect(spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' }).stderr).toBe('');
  });
});
