// Tests corpus policies that compare an object with its old version, on changes written for them. Needs the corpus.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compareStates } from '../../src/pipeline/compare-states.ts';
import type { RepositoryState } from '../../src/pipeline/scope/reading-scope.ts';
import { defaultConfiguration } from '../../src/settings/configuration.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { hasCorpus, withCorpus } from '../support/corpus.ts';
import { needs } from '../support/evidence.ts';

interface Change {
  readonly title: string;
  readonly base: string;
  readonly head: string;
  /** `operation Kind name: message` of each new finding. */
  readonly found: readonly string[];
}

function changes(texts: readonly string[], { base, head }: Change): readonly string[] {
  const rules = texts.map((text, index) => ({ file: new SourceFile(`policies/${index}.yaml`, text), selected: true }));
  const stateOf = (objects: string): RepositoryState => {
    const files = [
      ...rules,
      ...(objects === '' ? [] : [{ file: new SourceFile('objects.yaml', objects), selected: true }]),
    ];
    return { files, paths: new Set(files.map(({ file }) => file.path)), notRead: [] };
  };
  const { findings, diagnostics } = compareStates({
    base: stateOf(base),
    head: stateOf(head),
    names: { base: 'base', head: 'head' },
    configuration: defaultConfiguration(),
    policiesFrom: 'base',
    only: 'new',
  });
  expect(diagnostics).toEqual([]);
  return findings
    .filter(({ status }) => status === 'new')
    .map(({ operation, resource, message }) => `${operation} ${resource.kind} ${resource.name}: ${message.trim()}`);
}

function suite(repository: string, paths: readonly string[], list: readonly Change[]): void {
  needs('corpus', hasCorpus(repository)).describe(repository, () => {
    const texts =
      withCorpus(repository, (folder) => paths.map((path) => readFileSync(join(folder, path), 'utf8'))) ?? [];
    it.each(list)('$title', (change) => {
      expect(changes(texts, change)).toEqual(change.found);
    });
  });
}

const node = (label: string): string =>
  `apiVersion: v1\nkind: Node\nmetadata:\n  name: worker\n  labels: {role: worker${label}}\n`;
const image = (type: string): string => node(`, api.openshift.com/image-type: ${type}`);
const FROZEN = 'UPDATE Node worker: Modification of node label api.openshift.com/image-type is not allowed';

suite(
  'openshift+managed-cluster-config',
  [
    'deploy/srep-vap/hcp-node-label/100-node-label-image-type-vap.yaml',
    'deploy/srep-vap/hcp-node-label/101-node-label-image-type-vapb.yaml',
  ],
  [
    { title: 'a label that may not change changes', base: image('a'), head: image('b'), found: [FROZEN] },
    { title: 'it is added', base: node(''), head: image('a'), found: [FROZEN] },
    { title: 'it is removed', base: image('a'), head: node(''), found: [FROZEN] },
    {
      title: 'another one changes',
      base: image('a'),
      head: node(', api.openshift.com/image-type: a, zone: one'),
      found: [],
    },
    { title: 'the node is new', base: '', head: image('a'), found: [] },
    { title: 'the node goes', base: image('a'), head: '', found: [] },
  ],
);

const TENANT =
  'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: team\n  labels: {konflux-ci.dev/type: tenant}\n---\n';

function roleBinding(role: string, ...accounts: readonly string[]): string {
  const subjects = accounts.map((name) => `{kind: ServiceAccount, name: ${name}, namespace: team}`);
  return `${TENANT}apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: bots, namespace: team}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${role}}
subjects: [${subjects.join(', ')}]
`;
}

const ADDED =
  "UPDATE RoleBinding bots: ServiceAccounts with prefix 'konflux-bot-' cannot be added to an existing RoleBindingnot referencing a 'konflux-*-bot-actions'.";
const UPDATE = 'components/policies/production/base/konflux-rbac/restrict-binding-serviceaccounts/update';
const NAME = 'restrict-binding-serviceaccounts-update-validatingadmissionpolicy';

suite(
  'redhat-appstudio+infra-deployments',
  [`${UPDATE}/${NAME}.yaml`, `${UPDATE}/${NAME}binding.yaml`],
  [
    {
      title: 'a bot is added',
      base: roleBinding('edit', 'a'),
      head: roleBinding('edit', 'a', 'konflux-bot-x'),
      found: [ADDED],
    },
    {
      title: 'a bot was there',
      base: roleBinding('edit', 'konflux-bot-x'),
      head: roleBinding('edit', 'a', 'konflux-bot-x'),
      found: [],
    },
    {
      title: 'the role is for bots',
      base: roleBinding('konflux-x-bot-actions', 'a'),
      head: roleBinding('konflux-x-bot-actions', 'konflux-bot-x'),
      found: [],
    },
    {
      title: 'the namespace is no tenant',
      base: roleBinding('edit', 'a').replace('tenant', 'system'),
      head: roleBinding('edit', 'konflux-bot-x').replace('tenant', 'system'),
      found: [],
    },
    { title: 'the binding is new', base: TENANT, head: roleBinding('edit', 'konflux-bot-x'), found: [] },
  ],
);
