// Every key of `.preadmit.yaml`, with its type and meaning: the reader, the JSON Schema and docs/configuration.md follow this file.
import { globProblem } from './path-filter.ts';
import { choice, listOf, mapOf, object, type ShapeType, text } from './shape.ts';

/** The lowest thing that makes the gate fail. */
export const FAIL_ON_LEVELS = ['deny', 'warn', 'audit', 'error', 'never'] as const;

/** How the server treats fields that it does not know, and fields written twice. */
export const FIELD_VALIDATIONS = ['Strict', 'Warn', 'Ignore'] as const;

/** Admission plugins of the server that change objects, as far as they are followed. */
export const ADMISSION_PLUGINS = [
  'DefaultTolerationSeconds',
  'Priority',
  'ServiceAccount',
  'StorageObjectInUseProtection',
] as const;

export const SUPPRESSION_MODES = ['allow', 'report', 'deny'] as const;

/** Which state of the repository a change is held to. */
export const POLICIES_FROM = ['base', 'head', 'both'] as const;

/** Which state's exceptions hold where two are compared. */
export const EXCEPTIONS_FROM = ['base', 'head'] as const;

/** What of a change's findings counts. */
export const COUNTED = ['new', 'all'] as const;

const VERSION = /^v?1\.\d{1,3}(\.\d{1,3})?$/;
const TARGET_NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

const glob = text('A glob from the top of the repository, or a folder or file name.', globProblem);

const user = object(
  'Who sends the requests: what policies see as `request.userInfo`.',
  {
    username: text('E.g. `system:serviceaccount:argocd:argocd-application-controller`.', emptyProblem, {
      minLength: 1,
    }),
    groups: listOf('Default: what the API server adds for the username.', text('A group.')),
    uid: text('Default: none.'),
    extra: mapOf('Default: none.', listOf('Values of one extra field.', text('A value.'))),
  },
  ['username'],
);

const policies = listOf('Files that policies and bindings are taken from. Default: every YAML and JSON file.', glob);
const clusterFacts = listOf(
  'Files with what is in the cluster already (Namespaces, CustomResourceDefinitions, params, RBAC): read, never evaluated.',
  glob,
);

const fieldValidation = choice(
  'What becomes of unknown and repeated fields: as `kubectl apply --validate` has it. Default: `Strict`, they are errors.',
  FIELD_VALIDATIONS,
);
const disabledAdmissionPlugins = listOf(
  'Plugins that the API server runs without, of those that change objects. Default: none.',
  choice('As in `--disable-admission-plugins`.', ADMISSION_PLUGINS),
);

/** `versionProblem` says what is wrong with a Kubernetes version, in words that follow it. */
export function configurationShape(versionProblem: (version: string) => string | undefined = versionTextProblem) {
  const kubernetesVersion = text(
    'Version of the API server whose verdict is asked for, in quotes: `"1.36"`.',
    (version) => versionTextProblem(version) ?? versionProblem(version),
    { pattern: VERSION.source },
  );
  const target = object('A cluster, or a part of one, that some of the manifests are applied to.', {
    policies,
    manifests: object('Which of the files are applied there. Default: all of them.', {
      include: listOf('Default: every file.', glob),
      exclude: listOf('Stronger than `include`.', glob),
    }),
    clusterFacts,
    kubernetesVersion,
    fieldValidation,
    disabledAdmissionPlugins,
    user,
  });
  return object('Configuration of Preadmit: `.preadmit.yaml` at the top of the repository.', {
    version: choice('Version of this file format.', [1]),
    include: listOf('Files to read. Default: `**/*.{yaml,yml,json}`.', glob),
    exclude: listOf('Files to leave alone, stronger than everything else. Default: `**/node_modules/**`.', glob),
    skip: listOf(
      'Manifests that are read, listed and not evaluated.',
      object(
        'Files, and why they are not evaluated.',
        {
          files: listOf('Globs.', glob),
          reason: text('For whoever reads the report.', emptyProblem, { minLength: 1 }),
        },
        ['files', 'reason'],
      ),
    ),
    evaluate: listOf(
      'Files whose documents are manifests whatever their place says: not Helm templates, not patches of a kustomization.',
      glob,
    ),
    failOn: choice('The lowest finding that fails the run. Default: `deny`.', FAIL_ON_LEVELS),
    policiesFrom: choice(
      'Where two states are compared, whose policies decide. `both`: what either finds counts. Default: `base`.',
      POLICIES_FROM,
    ),
    only: choice(
      'Where two states are compared, what counts: the findings of the change, or those of the whole repository. Default: `new`.',
      COUNTED,
    ),
    suppressions: choice(
      'What the annotation `preadmit.dev/ignore` does. `report`: each use is a warning; `deny`: an error. Default: `allow`.',
      SUPPRESSION_MODES,
    ),
    exceptionsFrom: choice(
      'Where two states are compared, whose annotations `preadmit.dev/ignore` hold. `head`: a change may excuse itself. Default: `base`.',
      EXCEPTIONS_FROM,
    ),
    policies,
    clusterFacts,
    kubernetesVersion,
    fieldValidation,
    disabledAdmissionPlugins,
    user,
    targets: mapOf(
      'Clusters by name; what a target does not say it takes from above. Default: one target, the whole repository.',
      target,
      (name) => (TARGET_NAME.test(name) ? undefined : 'is no name of a target: use letters, digits, `-`, `_` and `.`'),
    ),
  });
}

export type WrittenConfiguration = ShapeType<ReturnType<typeof configurationShape>>;
export type WrittenTarget = MapValue<NonNullable<WrittenConfiguration['targets']>>;
export type WrittenUser = ShapeType<typeof user>;

function emptyProblem(value: string): string | undefined {
  return value.trim() === '' ? 'is empty' : undefined;
}

type MapValue<M> = M extends ReadonlyMap<string, infer V> ? V : never;

function versionTextProblem(version: string): string | undefined {
  return VERSION.test(version) ? undefined : 'is no Kubernetes version such as `1.36`';
}
