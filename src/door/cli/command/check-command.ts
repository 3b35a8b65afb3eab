// `preadmit check`: reads its options, checks the repository, writes the reports.
import { resolve } from 'node:path';
import { parseShard, shardProblem } from '../../../pipeline/check/shard.ts';
import type { Counted, FailOn, OnUndecided, PoliciesFrom, Unreached } from '../../../settings/configuration.ts';
import type { FetchKind } from '../../../settings/configuration-shape.ts';
import { severalReleases } from '../../run/asked-version.ts';
import { type CheckOptions, checkRepository } from '../../run/check-repository.ts';
import { EXIT, exitCodeOf, exitOptions } from '../../run/exit-code.ts';
import { fetchAccess, schemaOptions } from '../../run/fetch-access.ts';
import { accessWith, sourcesOf, TOKENS_VARIABLE } from '../../run/policy-sources.ts';
import { createStageLog } from '../../run/stage-log.ts';
import { workersOf } from '../../run/worker-count.ts';
import { CHECK_COMMAND_OPTIONS } from '../options/option-table.ts';
import { type ParsedArguments, parseArguments } from '../options/parse-arguments.ts';
import { checkOutputs, readOutputs, shownPart, showOptionsOf, writeOutput } from '../report-output.ts';
import { type Terminal, usageError } from '../terminal.ts';
import { checkInput } from './check-input.ts';
import { checkReleasesCommand } from './check-releases-command.ts';

export async function checkCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(args, CHECK_COMMAND_OPTIONS);
  if ('problems' in parsed) return usageError(parsed.problems, terminal);
  const { paths, texts } = parsed.arguments;
  const shardText = texts.get('shard');
  const isInput = paths.includes('-');
  const versions = severalReleases(texts.get('kubernetes-version'));
  if (versions !== undefined && (isInput || shardText !== undefined)) {
    return usageError(['several Kubernetes versions cannot be combined with `-` or `--shard`'], terminal);
  }
  if (versions !== undefined) {
    return checkReleasesCommand(versions, parsed.arguments, checkOptions(parsed.arguments, terminal), terminal);
  }
  const outputs = readOutputs(parsed.arguments);
  if ('problems' in outputs) return usageError(outputs.problems, terminal);
  await checkOutputs(outputs.outputs, terminal.directory);
  if (isInput && (paths.length > 1 || shardText !== undefined)) {
    return usageError(['`-` (standard input) cannot be combined with other paths or `--shard`'], terminal);
  }
  const shard = shardText === undefined ? undefined : parseShard(shardText);
  if (shardText !== undefined && shard === undefined) {
    return usageError([shardProblem(shardText)], terminal);
  }
  const started = terminal.now();
  const stages = createStageLog({
    debug: parsed.arguments.flags.has('debug'),
    interactive: terminal.interactive,
    write: terminal.err,
    now: terminal.now,
  });
  const options = { ...checkOptions(parsed.arguments, terminal), stages, ...(shard && { shard }) };
  const checked = isInput ? checkInput(options, terminal.input()) : checkRepository(options);
  const { report, unusable } = await checked.finally(stages.end);
  const shown = shownPart(report, parsed.arguments);
  const seconds = (terminal.now() - started) / 1000;
  const showOptions = { ...showOptionsOf(parsed.arguments, terminal), seconds };
  for (const output of outputs.outputs) await writeOutput(output, shown, showOptions, terminal);
  if (unusable) return EXIT.usage;
  return exitCodeOf(report, exitOptions(parsed.arguments));
}

export function checkOptions({ paths, texts, lists, flags }: ParsedArguments, terminal: Terminal): CheckOptions {
  const config = texts.get('config');
  const baseline = texts.get('baseline');
  const failOn = texts.get('fail-on') as FailOn | undefined;
  const unreached = texts.get('unreached') as Unreached | undefined;
  const onUndecided = texts.get('on-undecided') as OnUndecided | undefined;
  const policiesFrom = texts.get('policies-from') as PoliciesFrom | undefined;
  const only = texts.get('only') as Counted | undefined;
  const kubernetesVersion = texts.get('kubernetes-version');
  const fetch = lists.get('fetch') as readonly FetchKind[] | undefined;
  const fetchCache = texts.get('fetch-cache');
  const schemaCache = texts.get('schema-cache');
  const cache = texts.get('cache');
  const policies = lists.get('policies');
  const policySources = lists.get('policy-sources');
  const include = lists.get('include');
  const exclude = lists.get('exclude');
  return {
    directory: terminal.directory,
    paths,
    ...(config !== undefined && { config }),
    ...(baseline !== undefined && { baseline }),
    today: terminal.today,
    sourceAccess: accessWith(terminal.policySourceTokens, TOKENS_VARIABLE, terminal.transport),
    fetching: {
      ...fetchAccess(terminal.environment ?? {}, fetchCache && resolve(terminal.directory, fetchCache), terminal.now),
      ...(terminal.transport && { transport: terminal.transport }),
    },
    ...(flags.has('fetch-schemas') && {
      schemas: schemaOptions(
        terminal.environment ?? {},
        schemaCache && resolve(terminal.directory, schemaCache),
        terminal.now,
      ),
    }),
    ...(cache !== undefined && { cache: resolve(terminal.directory, cache) }),
    workers: workersOf(texts.get('workers')),
    explainsMutations: flags.has('explain-mutations'),
    suggests: flags.has('suggest'),
    overrides: {
      ...(failOn !== undefined && { failOn }),
      ...(onUndecided !== undefined && { onUndecided }),
      ...(unreached !== undefined && { unreached }),
      ...(policiesFrom !== undefined && { policiesFrom }),
      ...(only !== undefined && { only }),
      ...(kubernetesVersion !== undefined && { kubernetesVersion }),
      ...(fetch && { fetch }),
      ...(policies && { policies }),
      ...(policySources && { policySources: sourcesOf(policySources, terminal.directory) }),
      ...(include && { include }),
      ...(exclude && { exclude }),
    },
  };
}
