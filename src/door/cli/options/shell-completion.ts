// Shell completion scripts, generated from the tables of commands and options.
import { COMMANDS, type CommandEntry } from './command-table.ts';
import type { OptionEntry } from './option-table.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

type Shell = (typeof SHELLS)[number];

export function completionScript(shell: Shell): string {
  return { bash, zsh, fish }[shell]();
}

const TOP_OPTIONS: readonly (readonly [name: string, help: string])[] = [
  ['--help', 'help'],
  ['--version', 'version'],
];

/** Values that the shell offers after an option. */
function offered({ allowed, offers }: OptionEntry): readonly string[] {
  return allowed ?? offers ?? [];
}

/** Arguments that are not paths. */
function operands({ name }: CommandEntry): readonly string[] {
  return name === 'completion' ? SHELLS : [];
}

function bash(): string {
  const names = COMMANDS.map(({ name }) => name);
  const values = COMMANDS.flatMap(({ name, options }) =>
    options
      .filter((option) => offered(option).length > 0)
      .map((option) => `    '${name} --${option.name}') words='${offered(option).join(' ')}' ;;`),
  );
  const options = COMMANDS.map((command) => {
    const all = [...command.options.map(({ name }) => `--${name}`), '--help'].join(' ');
    const others = operands(command).join(' ');
    return `    ${command.name}) [[ $cur == -* ]] && words='${all}' || words='${others}' ;;`;
  });
  return `# Completion of preadmit for bash: source <(preadmit completion bash)
_preadmit() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words=''
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W '${[...names, ...TOP_OPTIONS.map(([name]) => name)].join(' ')}' -- "$cur"))
    return
  fi
  # Bash makes a word of its own of the sign in --option=value.
  if [[ $cur == = ]]; then
    cur=''
  elif [[ $prev == = && $COMP_CWORD -ge 3 ]]; then
    prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  case "\${COMP_WORDS[1]} $prev" in
${values.join('\n')}
  esac
  if [[ -z $words ]]; then
    case "\${COMP_WORDS[1]}" in
${options.map((line) => `  ${line}`).join('\n')}
    esac
  fi
  [[ -n $words ]] && COMPREPLY=($(compgen -W "$words" -- "$cur"))
  return 0
}
complete -o default -F _preadmit preadmit
`;
}

function zsh(): string {
  const commands = COMMANDS.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`);
  const cases = COMMANDS.map((command) => {
    const rest = operands(command);
    const last = rest.length === 0 ? "'*:file:_files'" : quoted(`1:shell:(${rest.join(' ')})`);
    const specs = [...command.options.map(zshOption), quoted('--help[help]'), last];
    return `    ${command.name})\n      _arguments ${specs.join(' \\\n        ')} ;;`;
  });
  return `#compdef preadmit
# Completion of preadmit for zsh: preadmit completion zsh > ~/.zsh/completions/_preadmit, a folder of fpath
_preadmit() {
  local -a commands
  commands=(
${commands.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _preadmit ]]; then
  _preadmit "$@"
else
  compdef _preadmit preadmit
fi
`;
}

function zshOption(option: OptionEntry): string {
  const { name, kind, help } = option;
  const text = help.replace(/[[\]\\]/g, '\\$&');
  if (kind === 'flag') return quoted(`--${name}[${text}]`);
  const choices = offered(option);
  const values = choices.length > 0 ? `(${choices.join(' ')})` : '_files';
  return quoted(`${kind === 'list' ? '*' : ''}--${name}=[${text}]:${name}:${values}`);
}

function fish(): string {
  const first = 'not __fish_seen_subcommand_from $__preadmit_commands';
  const lines = COMMANDS.flatMap((command) => {
    const { name, summary, options } = command;
    const condition = `-n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c preadmit -f -n '${first}' -a ${name} -d ${fishQuoted(summary)}`,
      ...options.map((option) => {
        const choices = offered(option);
        const takes =
          option.kind === 'flag' ? '' : choices.length > 0 ? ` -x -a ${fishQuoted(choices.join(' '))}` : ' -r';
        return `complete -c preadmit ${condition} -l ${option.name}${takes} -d ${fishQuoted(option.help)}`;
      }),
      ...(operands(command).length === 0
        ? []
        : [`complete -c preadmit -f ${condition} -a ${fishQuoted(operands(command).join(' '))}`]),
    ];
  });
  return `# Completion of preadmit for fish: preadmit completion fish > ~/.config/fish/completions/preadmit.fish
set -g __preadmit_commands ${COMMANDS.map(({ name }) => name).join(' ')}
${TOP_OPTIONS.map(([name, help]) => `complete -c preadmit -n '${first}' -l ${name.slice(2)} -d ${fishQuoted(help)}`).join('\n')}
${lines.join('\n')}
`;
}

/** Quotes any text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
