// `preadmit review`: reads AdmissionReview requests from standard input and writes responses to standard output.
import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import { UNOBSERVED } from '../../../engine/stages.ts';
import { Reviewer } from '../../../pipeline/answer-review.ts';
import { readRepository } from '../../../pipeline/state/read-repository.ts';
import { defaultConfiguration } from '../../../settings/configuration.ts';
import { stringifyJson } from '../../../source/json/json.ts';
import { JsonStream, type StreamItem } from '../../../source/json/json-stream.ts';
import { type Discovery, discover } from '../../../workspace/discover/discover.ts';
import { askedVersion } from '../../run/asked-version.ts';
import { EXIT } from '../../run/exit-code.ts';
import { REVIEW_OPTIONS } from '../options/option-table.ts';
import { parseArguments } from '../options/parse-arguments.ts';
import { type Terminal, usageError } from '../terminal.ts';

export async function reviewCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(args, REVIEW_OPTIONS);
  if ('problems' in parsed) return usageError(parsed.problems, terminal);
  const { paths, flags, lists, texts } = parsed.arguments;
  if (paths.length > 0)
    return usageError([`unexpected \`${paths[0]}\`: requests are read from standard input`], terminal);
  const policies = lists.get('policies');
  if (policies === undefined) return usageError(['`--policies <path>` is required'], terminal);
  const version = askedVersion(texts.get('kubernetes-version'));
  const say = (text: string): void => terminal.err(`preadmit: ${sanitizeLine(text)}\n`);
  const sources = [...policies, ...(lists.get('resources') ?? [])];
  const discoveries = await Promise.all(sources.map((path) => discoverPath(resolve(terminal.directory, path))));
  const resources = withoutRepeats(discoveries).flatMap((discovery) => readResources(discovery, say));
  const reviewer = new Reviewer({ resources, kubernetesVersion: version });
  for (const { primary, severity, message } of reviewer.diagnostics) {
    const line = primary?.file.positionAt(primary.range.start).line;
    say(`${primary === undefined ? '' : `${primary.file.path}:${line}: `}${severity}: ${message}`);
  }
  if (reviewer.boundPolicies === 0) {
    say('the files contain no admission policy with a binding');
    return EXIT.nothingChecked;
  }
  return answerAll(terminal, reviewer, flags.has('decisions'), say);
}

/** The path may be in any Git repository, or in none. */
function discoverPath(path: string): Promise<Discovery> {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? discover({ directory: path }) : discover({ directory: dirname(path), paths: [basename(path)] });
}

/** A file under two of the paths is read once. */
function withoutRepeats(discoveries: readonly Discovery[]): readonly Discovery[] {
  const seen = new Set<string>();
  return discoveries.map((discovery) => ({
    ...discovery,
    files: discovery.files.filter(({ file }) => {
      const path = resolve(discovery.root, file.path);
      const isNew = !seen.has(path);
      seen.add(path);
      return isNew;
    }),
  }));
}

function readResources(discovery: Discovery, say: (text: string) => void) {
  const { resources, skipped } = readRepository({ ...discovery, configuration: defaultConfiguration() }, UNOBSERVED);
  for (const { path, line, reason } of skipped) {
    if (reason === 'empty-document') continue;
    say(`${path}${line === undefined ? '' : `:${line}`}: not read: ${reason}`);
  }
  return resources.filter(({ selected }) => selected).map(({ resource }) => resource);
}

/** Answers each request as it arrives. Unreadable or undecided requests set the exit status but do not stop the run. */
async function answerAll(
  terminal: Terminal,
  reviewer: Reviewer,
  withDecisions: boolean,
  say: (text: string) => void,
): Promise<number> {
  const stream = new JsonStream();
  let status: number = EXIT.allowed;
  const answer = (item: StreamItem): void => {
    const answered = 'problem' in item ? { error: item.problem } : reviewer.answer(item.value, withDecisions);
    const complain = (text: string): void => {
      say(`standard input:${item.line}: ${text}`);
      status = EXIT.usage;
    };
    if ('error' in answered) {
      complain(answered.error);
      return;
    }
    terminal.out(`${stringifyJson(answered.review, { sortKeys: false, escapeHtml: false })}\n`);
    for (const unknown of answered.unknowns) complain(`undecided: ${unknown}`);
  };
  for await (const chunk of terminal.input()) for (const item of stream.push(chunk)) answer(item);
  for (const item of stream.end()) answer(item);
  return status;
}
