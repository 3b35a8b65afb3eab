// `preadmit lsp`: runs the language server on standard input and output.
import { setFlagsFromString } from 'node:v8';
import { sanitizeLine } from '../../diagnostic/sanitize.ts';
import { checkOptions } from '../cli/command/check-command.ts';
import { LSP_OPTIONS } from '../cli/options/option-table.ts';
import { parseArguments } from '../cli/options/parse-arguments.ts';
import { type Terminal, usageError } from '../cli/terminal.ts';
import { EXIT } from '../run/exit-code.ts';
import { RpcPeer } from './json-rpc.ts';
import { LanguageServer } from './language-server.ts';
import { MessageStream } from './message-stream.ts';

/**
 * Collects garbage when it reaches this percentage of live memory. V8's default allows up to three times as much. The extra time was not
 * measurable.
 */
const GARBAGE_PERCENT = 40;

/** Runs until the editor sends `exit` or closes the stream. */
export async function lspCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  // Client libraries pass a transport option such as `--stdio`; only standard input and output are supported.
  const parsed = parseArguments(
    args.filter((argument) => argument !== '--stdio'),
    LSP_OPTIONS,
  );
  if ('problems' in parsed) return usageError(parsed.problems, terminal);
  const [unexpected] = parsed.arguments.paths;
  if (unexpected !== undefined)
    return usageError([`unexpected \`${unexpected}\`: the editor names the folder`], terminal);
  const input = terminal.bytes?.();
  if (input === undefined) return usageError(['standard input is not available'], terminal);
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`);
  let status: number | undefined;
  // An editor must not contact hosts on every keystroke.
  const { fetching: _, ...check } = checkOptions(parsed.arguments, terminal);
  const server = new LanguageServer({
    check: { ...check, runsLong: true },
    notify: (method, params) => peer.notify(method, params),
    complain: (text) => {
      for (const line of text.split('\n')) terminal.err(`preadmit lsp: ${sanitizeLine(line)}\n`);
    },
    exit: (wasAsked) => {
      status = wasAsked ? EXIT.allowed : EXIT.denied;
      input.destroy();
    },
  });
  const peer = new RpcPeer(terminal.out, server);
  const stream = new MessageStream();
  input.on('data', (chunk: Uint8Array) => {
    for (const message of stream.push(chunk)) peer.receive(message);
  });
  await new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) input.once(event, resolve);
  });
  await peer.settled();
  server.close();
  return status ?? EXIT.denied;
}
