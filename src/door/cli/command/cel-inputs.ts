// Reads the inputs of `preadmit cel`: manifests, a Namespace, a user and a policy.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { nearestName } from '../../../diagnostic/nearest-name.ts';
import {
  expressionPolicies,
  TriedExpressions,
  TriedFileError,
  type TriedFiles,
} from '../../../pipeline/tried-expressions.ts';
import { resolveConfiguration, type User } from '../../../settings/configuration.ts';
import { isJsonArray, isJsonObject } from '../../../source/json/json.ts';
import { textField } from '../../../source/json/json-field.ts';
import { parseJson } from '../../../source/json/parse-json.ts';
import { SourceFile } from '../../../source/text/source-file.ts';
import { reasonOf, WorkspaceError } from '../../../workspace/workspace-error.ts';
import { askedVersion } from '../../run/asked-version.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';

const FILES = [
  ['object', 'object'],
  ['old-object', 'oldObject'],
  ['params', 'params'],
] as const;

/** A valid Namespace name. A file name contains a dot, so it never matches. */
const NAMESPACE_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Throws WorkspaceError if an input cannot be read. */
export async function triedExpressions(
  { texts, flags }: Pick<ParsedArguments, 'texts' | 'flags'>,
  directory: string,
): Promise<TriedExpressions> {
  const read = async (path: string): Promise<SourceFile> => {
    const text = await readFile(resolve(directory, path), 'utf8').catch((cause: unknown) => {
      throw new WorkspaceError('unreadable', `cannot read \`${path}\`: ${reasonOf(cause)}`, { cause });
    });
    return new SourceFile(path, text);
  };
  const files: { -readonly [Name in keyof TriedFiles]: SourceFile } = {};
  for (const [option, name] of FILES) {
    const path = texts.get(option);
    if (path !== undefined) files[name] = await read(path);
  }
  const namespace = texts.get('namespace');
  const isName = namespace !== undefined && NAMESPACE_NAME.test(namespace);
  if (namespace !== undefined && !isName) files.namespace = await read(namespace);
  const user = askedUser(texts.get('user'));
  const policy = texts.get('policy');
  try {
    return new TriedExpressions({
      version: askedVersion(texts.get('kubernetes-version')),
      files,
      ...(isName && { namespaceName: namespace }),
      user,
      ...(policy !== undefined && { policy: await askedPolicy(policy, read) }),
      isMutation: flags.has('mutation'),
    });
  } catch (error) {
    if (!(error instanceof TriedFileError)) throw error;
    throw new WorkspaceError('unreadable', error.message, { cause: error });
  }
}

async function askedPolicy(written: string, read: (path: string) => Promise<SourceFile>) {
  const [, path = written, name] = /^(.*)#([^#/\\]+)$/.exec(written) ?? [];
  const policies = expressionPolicies(await read(path));
  const found = name === undefined ? policies : policies.filter((policy) => policy.name === name);
  const [policy, ...more] = found;
  if (policy !== undefined && more.length === 0) return policy;
  const names = policies.map((each) => `\`${each.name}\``).join(', ');
  if (policies.length === 0) throw new TriedFileError(`\`${path}\` contains no admission policy`);
  const nearest =
    name === undefined
      ? undefined
      : nearestName(
          name,
          policies.map((each) => each.name),
        );
  const hint =
    nearest === undefined ? `name one of ${names}: \`--policy ${path}#<name>\`` : `did you mean \`${nearest}\`?`;
  const problem = name === undefined ? `contains ${policies.length} policies` : `contains no unique policy \`${name}\``;
  throw new TriedFileError(`\`${path}\` ${problem}: ${hint}`);
}

/** Without groups, the user gets those that the API server adds. Throws WorkspaceError. */
function askedUser(written: string | undefined): User {
  const parsed = written?.startsWith('{') === true ? parseJson(written) : undefined;
  if (parsed === undefined) return userOf(written === undefined ? undefined : { username: written });
  const value = 'value' in parsed ? parsed.value : undefined;
  const username = isJsonObject(value) ? textField(value, 'username') : '';
  const groups = isJsonObject(value) ? (value.get('groups') ?? undefined) : undefined;
  const areTexts = groups === undefined || (isJsonArray(groups) && groups.every((group) => typeof group === 'string'));
  if (!isJsonObject(value) || username === '' || !areTexts) {
    throw new WorkspaceError(
      'unreadable',
      '`--user` is invalid: expected a name, or `{"username": "…", "groups": ["…"]}`',
    );
  }
  const uid = textField(value, 'uid');
  return userOf({
    username,
    ...(groups !== undefined && { groups: groups as readonly string[] }),
    ...(uid !== '' && { uid }),
  });
}

function userOf(user: { username: string; groups?: readonly string[]; uid?: string } | undefined): User {
  const [target] = resolveConfiguration(user === undefined ? {} : { user }).targets;
  return (target as NonNullable<typeof target>).user;
}
