// `preadmit render`: prints a rendered kustomization or chart exactly as the engine writes it.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import { DEFAULT_VERSION, formatVersion } from '../../../kubernetes/api/version.ts';
import { shownMessage } from '../../../kubernetes/secret/shown-lines.ts';
import { documentStream } from '../../../pipeline/state/document-stream.ts';
import type { RenderRequest } from '../../../render/engine/render-request.ts';
import { joinPaths } from '../../../source/text/repository-path.ts';
import { SourceFile } from '../../../source/text/source-file.ts';
import { loadEngine } from '../../../workspace/render/load-engine.ts';
import { findRenderScope, type RenderScope } from '../../../workspace/render/render-scope.ts';
import { reasonOf, WorkspaceError } from '../../../workspace/workspace-error.ts';
import { EXIT } from '../../run/exit-code.ts';
import { RENDER_OPTIONS } from '../options/option-table.ts';
import { type ParsedArguments, parseArguments } from '../options/parse-arguments.ts';
import { type Terminal, usageError } from '../terminal.ts';
import { type RootsFormat, renderDifference, renderRoots } from './render-roots.ts';

/** Fixed, so that random values are the same in every run. */
const CHANCE = { seed: 1, now: 0 };
const DEFAULT_RELEASE = 'release-name';
const DEFAULT_NAMESPACE = 'default';
const KUSTOMIZATION_NAMES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
const SHOW_SECRETS = 'show-secrets';
const CHART_OPTIONS = ['release', 'namespace', 'values', 'include-crds'];

export async function renderCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(args, RENDER_OPTIONS);
  if ('problems' in parsed) return usageError(parsed.problems, terminal);
  const [folder, ...more] = parsed.arguments.paths;
  const format = parsed.arguments.texts.get('format');
  if (format === 'diff') {
    if (folder !== undefined && more.length === 1) return renderDifference(folder, more[0] as string, terminal);
    return usageError(['expected two commits: `preadmit render --format diff <base> <head>`'], terminal);
  }
  if (folder === undefined) {
    const given = RENDER_OPTIONS.map(({ name }) => name).filter(
      (name) => name !== 'format' && name !== SHOW_SECRETS && isGiven(parsed.arguments, name),
    );
    if (given.length > 0)
      return usageError(
        given.map((name) => `\`--${name}\` needs a folder`),
        terminal,
      );
    return renderRoots((format ?? 'text') as RootsFormat, parsed.arguments.flags.has(SHOW_SECRETS), terminal);
  }
  if (more.length > 0) {
    return usageError(['expected one folder with a kustomization or a chart: `preadmit render <folder>`'], terminal);
  }
  if (format !== undefined && format !== 'yaml') {
    return usageError([`\`--format ${format}\` cannot be combined with a folder`], terminal);
  }
  return renderFolder(folder, parsed.arguments, terminal);
}

/** Prints the engine's output for one folder unchanged. */
async function renderFolder(folder: string, options: ParsedArguments, terminal: Terminal): Promise<number> {
  const scope = await findRenderScope(terminal.directory, folder);
  const problems = unusableOptions(scope, options);
  if (problems.length > 0) return usageError(problems, terminal);
  const request = requestOf(scope, options, terminal.directory);
  const outcome = loadEngine().render(request, scope.tree, CHANCE);
  const sources = sourcesOf(scope, request);
  const say = (text: string): void => {
    for (const line of sources.reduce(shownMessage, text).split('\n'))
      terminal.err(`preadmit: ${sanitizeLine(line)}\n`);
  };
  for (const warning of outcome.warnings) say(warning);
  if ('failure' in outcome) {
    say(outcome.message.trimEnd());
    return EXIT.notRendered;
  }
  terminal.out(documentStream(outcome.objects, options.flags.has(SHOW_SECRETS)));
  return EXIT.allowed;
}

/** Files with secrets that a message of the engine may quote. */
function sourcesOf({ folder, tree }: RenderScope, request: RenderRequest): readonly SourceFile[] {
  const paths = ['values.yaml', ...KUSTOMIZATION_NAMES].map((name) => joinPaths(folder, name));
  const texts = paths.flatMap((path) =>
    tree.kind(path) === 'file' ? [new TextDecoder().decode(tree.read(path))] : [],
  );
  const values = request.engine === 'helm' ? (request.values ?? []) : [];
  return [...texts, ...values].map((text) => new SourceFile('values.yaml', text));
}

function isGiven({ texts, lists, flags }: ParsedArguments, name: string): boolean {
  return texts.has(name) || lists.has(name) || flags.has(name);
}

function unusableOptions({ engine }: RenderScope, options: ParsedArguments): readonly string[] {
  const given = (name: string): boolean => isGiven(options, name);
  const others = engine === 'helm' ? ['load-restrictor', 'enable-helm'] : CHART_OPTIONS;
  const what = engine === 'helm' ? 'a chart' : 'a kustomization';
  return others.filter(given).map((name) => `\`--${name}\` does not apply to ${what}`);
}

function requestOf(
  { engine, folder, isBounded }: RenderScope,
  { texts, lists, flags }: ParsedArguments,
  directory: string,
): RenderRequest {
  const kubernetesVersion = fullVersion(texts.get('kubernetes-version') ?? formatVersion(DEFAULT_VERSION));
  if (engine === 'kustomize') {
    const restrictor = texts.get('load-restrictor');
    return {
      engine,
      root: folder,
      anyFile: restrictor === undefined ? isBounded : restrictor === 'LoadRestrictionsNone',
      enableHelm: flags.has('enable-helm'),
      ...(texts.has('kubernetes-version') && { kubernetesVersion }),
    };
  }
  return {
    engine,
    chart: folder,
    releaseName: texts.get('release') ?? DEFAULT_RELEASE,
    namespace: texts.get('namespace') ?? DEFAULT_NAMESPACE,
    values: (lists.get('values') ?? []).map((file) => readValues(directory, file)),
    includeCrds: flags.has('include-crds'),
    kubernetesVersion,
  };
}

/** Helm accepts any version; two numbers mean the first patch release. */
function fullVersion(text: string): string {
  return /^v?\d+\.\d+$/.test(text) ? `${text}.0` : text;
}

function readValues(directory: string, file: string): string {
  try {
    return readFileSync(resolve(directory, file), 'utf8');
  } catch (error) {
    throw new WorkspaceError('unreadable', `cannot read the values file \`${file}\`: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
