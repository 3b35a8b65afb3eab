// `preadmit check -`: manifests from standard input, judged by the policies of the repository, of folders and of policy sources.
import { statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { checkState } from '../../../pipeline/check-state.ts';
import { type Configuration, contextGlobs } from '../../../settings/configuration.ts';
import type { FolderSource, PolicySource } from '../../../settings/policy-source.ts';
import { parseSourceText } from '../../../settings/policy-source-text.ts';
import { SourceFile } from '../../../source/text/source-file.ts';
import { discover } from '../../../workspace/discover/discover.ts';
import { MAXIMUM_INPUT_BYTES } from '../../../workspace/files/limits.ts';
import { openSources } from '../../../workspace/sources/open-sources.ts';
import { sourceAccess } from '../../../workspace/sources/source-access.ts';
import { WorkspaceError } from '../../../workspace/workspace-error.ts';
import { askedVersion } from '../../run/asked-version.ts';
import { type CheckOptions, type CheckResult, settingsOf, startOf } from '../../run/check-repository.ts';

/** What the places of the manifests are told with. */
const INPUT_NAME = '<stdin>';

/** Throws WorkspaceError for what cannot be read, and for more than 20 MiB. */
export async function checkInput(options: CheckOptions, input: AsyncIterable<string>): Promise<CheckResult> {
  askedVersion(options.overrides.kubernetesVersion);
  const { stages, today } = options;
  const { directory, root, repository } = await startOf({ ...options, paths: [] });
  const { folders, policies } = policyPlaces(options, root);
  const overrides = { ...options.overrides, ...(policies && { policies }) };
  const settings = await settingsOf(root, { ...options, overrides });
  if ('unusable' in settings) return settings;
  const { baseline } = settings;
  const configuration = ofInput(settings.configuration);
  const file = new SourceFile(INPUT_NAME, await textOf(input));
  stages?.enter('discover');
  const context = contextGlobs(configuration);
  const discovery = await discover({
    directory,
    ...(repository && { repository }),
    include: [],
    exclude: configuration.exclude,
    context,
  });
  stages?.count('discover', 'files', discovery.files.length + 1);
  const sources: readonly PolicySource[] = [...configuration.policySources, ...folders];
  const opened = await openSources(sources, { root, places: [] }, options.sourceAccess ?? sourceAccess());
  try {
    const report = checkState({
      ...discovery,
      files: [...discovery.files.map((found) => ({ ...found, selected: false })), { file, selected: true }],
      notRead: [],
      configuration,
      policySources: opened.contents,
      ...(stages && { stages }),
      ...(today !== undefined && { today }),
      ...(baseline && { baseline }),
    });
    return { report, unusable: false };
  } finally {
    await opened.close();
  }
}

/** Which folders the manifests would lie in is not known, so every target judges them. */
function ofInput(configuration: Configuration): Configuration {
  return {
    ...configuration,
    globs: configuration.globs.filter(({ field }) => field === 'policies' || /^targets\..*\.policies$/.test(field)),
    targets: configuration.targets.map((target) => ({ ...target, manifests: { include: ['**'], exclude: [] } })),
  };
}

interface PolicyPlaces {
  /** Those that lie outside the repository. */
  readonly folders: readonly FolderSource[];
  /** Globs of the others; absent: those of the configuration. */
  readonly policies?: readonly string[];
}

/** `--policies` names folders and files from the working directory here; what is there neither is taken as a glob from the top. */
function policyPlaces({ directory, overrides }: CheckOptions, root: string): PolicyPlaces {
  if (overrides.policies === undefined) return { folders: [] };
  const folders: FolderSource[] = [];
  const policies: string[] = [];
  for (const given of overrides.policies) {
    const place = resolve(directory, given);
    const status = statSync(place, { throwIfNoEntry: false });
    const below = relative(root, place).split(sep).join('/');
    const isOutside = below === '..' || below.startsWith('../') || isAbsolute(below);
    if (status === undefined) policies.push(given);
    else if (!isOutside) policies.push(below === '' ? '.' : escaped(below));
    else if (status.isDirectory()) folders.push(folderSource(place, folders));
    else {
      throw new WorkspaceError('path-outside-root', `\`${given}\` lies outside \`${root}\`, and is no folder`, {
        hint: 'name the folder that holds it',
      });
    }
  }
  return { folders, policies };
}

function folderSource(folder: string, others: readonly FolderSource[]): FolderSource {
  const parsed = parseSourceText(folder);
  const name = 'source' in parsed ? parsed.source.name : 'policies';
  const isTaken = others.some((other) => other.name === name);
  return {
    kind: 'folder',
    name: isTaken ? `${name}-${others.length + 1}` : name,
    folder,
    include: ['**/*.{yaml,yml,json}'],
  };
}

/** A path as a glob that matches it alone. */
function escaped(path: string): string {
  return path.replace(/[*?[\]{}()!+@\\]/g, '\\$&');
}

async function textOf(input: AsyncIterable<string>): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of input) {
    length += Buffer.byteLength(part, 'utf8');
    if (length > MAXIMUM_INPUT_BYTES) {
      throw new WorkspaceError('unreadable', `standard input is longer than ${MAXIMUM_INPUT_BYTES / 1024 / 1024} MiB`, {
        hint: 'write it to files, in a folder, and check that',
      });
    }
    parts.push(part);
  }
  return parts.join('');
}
