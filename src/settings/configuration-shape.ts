// Every key of `.preadmit.yaml`, with its type and meaning: the reader, the JSON Schema and docs/configuration.md follow this file.
import { globProblem } from './path-filter.ts';
import {
  commitProblem,
  gitUrlProblem,
  integrityProblem,
  npmProblem,
  ociProblem,
  registryProblem,
  SCHEMA_SOURCE,
  SOURCE_NAME,
  SOURCE_SCHEMA,
  sourceProblem,
  tagProblem,
} from './policy-source.ts';
import { schemaLocationProblem } from './schema-location.ts';
import {
  choice,
  flagShape,
  listShape,
  mapShape,
  object,
  type ShapeType,
  textShape,
  together,
  wholeNumber,
} from './shape.ts';

/** The lowest thing that makes the gate fail. */
export const FAIL_ON_LEVELS = ['deny', 'warn', 'audit', 'error', 'never'] as const;

/** How the server treats fields that it does not know, and fields written twice. */
export const FIELD_VALIDATIONS = ['Strict', 'Warn', 'Ignore'] as const;

/** Admission plugins of the server that are followed, and that a server may run without. */
export const ADMISSION_PLUGINS = [
  'DefaultTolerationSeconds',
  'PodSecurity',
  'Priority',
  'ServiceAccount',
  'StorageObjectInUseProtection',
] as const;

/** Feature gates that decide whether something here is evaluated. */
export const FEATURE_GATES = ['MutatingAdmissionPolicy'] as const;

/** Levels of Pod Security, the least strict first. */
const POD_SECURITY_LEVELS = ['privileged', 'baseline', 'restricted'] as const;

/** What becomes of a field that Git writes and a mutating policy changes. */
export const DRIFT_SEVERITIES = ['off', 'notice', 'warning', 'error'] as const;

export const SUPPRESSION_MODES = ['allow', 'report', 'deny'] as const;

/** Which state of the repository a change is held to. */
export const POLICIES_FROM = ['base', 'head', 'both'] as const;

/** Which state's exceptions hold where two are compared. */
export const EXCEPTIONS_FROM = ['base', 'head'] as const;

/** What of a change's findings counts. */
export const COUNTED = ['new', 'all'] as const;

/** Releases of Kyverno that are followed. */
const KYVERNO_VERSIONS = ['1.19'] as const;
const SELECTOR_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const;
const RESOURCE_FILTER = /^\[[^[\],]+(,[^[\],]*){0,2}\]$/;

const VERSION = /^v?1\.\d{1,3}(\.\d{1,3})?$/;
const POD_SECURITY_VERSION = /^(latest|v1\.(\d|[1-9]\d{1,2}))$/;
/** Kind, group, namespace. */
export const COMPLETE = /^([A-Z][A-Za-z0-9]*)(?:\.([a-z0-9][a-z0-9.-]*))?(?: in ([a-z0-9][a-z0-9-]*))?$/;
const SERVER = /^https?:\/\/\S+$/;
const DATA_NAME = /^(?:ConfigMap|Secret)\/[a-z0-9][a-z0-9-]*\/[a-z0-9][a-z0-9.-]*$/;
const TARGET_NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

const glob = textShape('A glob from the top of the repository, or a folder or file name.', globProblem);

export const user = object(
  'Who sends the requests: what policies see as `request.userInfo`.',
  {
    username: textShape('E.g. `system:serviceaccount:argocd:argocd-application-controller`.', emptyProblem, {
      minLength: 1,
    }),
    groups: listShape('Default: what the API server adds for the username.', textShape('A group.')),
    uid: textShape('Default: none.'),
    extra: mapShape('Default: none.', listShape('Values of one extra field.', textShape('A value.'))),
  },
  ['username'],
);

const policies = listShape('Files that policies and bindings are taken from. Default: every YAML and JSON file.', glob);
const clusterFacts = listShape(
  'Files with what is in the cluster already (Namespaces, CustomResourceDefinitions, params, RBAC): read, never evaluated.',
  glob,
);

const policySource = together(
  object('Where it is, and which version of it: one of `folder`, `git`, `oci` and `npm`.', {
    folder: textShape(
      'A folder outside the repository, or in it and not tracked: from its top, or absolute.',
      emptyProblem,
      {
        minLength: 1,
      },
    ),
    git: textShape('`https://` or `ssh://` URL of a Git repository; needs `commit` or `tag`.', gitUrlProblem),
    commit: textShape('Full id of a commit of `git`.', commitProblem),
    tag: textShape('A tag of `git`.', tagProblem),
    oci: textShape('An OCI artifact by digest: `ghcr.io/acme/policies@sha256:…`.', ociProblem),
    npm: textShape('An npm package with an exact version: `@acme/policies@1.2.3`; needs `integrity`.', npmProblem),
    integrity: textShape('Digest of the package of `npm`, as lock files have it: `sha512-…`.', integrityProblem),
    registry: textShape('Registry of `npm`. Default: `https://registry.npmjs.org`.', registryProblem),
    include: listShape(
      'Files of the source that policies, params and CustomResourceDefinitions come from. Default: every YAML and JSON file.',
      textShape("A glob from the source's top, or a folder or file name.", globProblem),
    ),
  }),
  sourceProblem,
  SOURCE_SCHEMA,
);

const complete = listShape(
  'Kinds of params of which the files hold every object: one that they lack does not exist. Default: none, as it may be in the cluster.',
  textShape(
    '`ConfigMap in platform`, `ConfigMap`, or with a group `Limits.example.com in platform`.',
    completeProblem,
    {
      pattern: COMPLETE.source,
    },
  ),
);

const fieldValidation = choice(
  'What becomes of unknown and repeated fields: as `kubectl apply --validate` has it. Default: `Strict`, they are errors.',
  FIELD_VALIDATIONS,
);
const disabledAdmissionPlugins = listShape(
  'Plugins that the API server runs without, of those that are followed here. Default: none.',
  choice('As in `--disable-admission-plugins`.', ADMISSION_PLUGINS),
);

const featureGates = listShape(
  'Feature gates that are on in the API server though they are off by default. Default: none.',
  choice('As in `--feature-gates`.', FEATURE_GATES),
);
const mutationDrift = choice(
  'How severe it is that a mutating policy changes what Git writes: controllers see it out of sync. Default: `warning`.',
  DRIFT_SEVERITIES,
);
const podSecurityLevel = (description: string) => choice(description, POD_SECURITY_LEVELS);
const podSecurityVersion = (description: string) =>
  textShape(description, podSecurityVersionProblem, { pattern: POD_SECURITY_VERSION.source });

const podSecurity = object(
  'What the API server is told about Pod Security, with the keys of its `PodSecurityConfiguration`.',
  {
    defaults: object('For Namespaces whose labels say nothing.', {
      enforce: podSecurityLevel('Default: `privileged`.'),
      'enforce-version': podSecurityVersion('Default: `latest`.'),
      audit: podSecurityLevel('Default: `privileged`.'),
      'audit-version': podSecurityVersion('Default: `latest`.'),
      warn: podSecurityLevel('Default: `privileged`.'),
      'warn-version': podSecurityVersion('Default: `latest`.'),
    }),
    exemptions: object('Requests that are not looked at.', {
      usernames: listShape('Of these users.', textShape('A username.', emptyProblem, { minLength: 1 })),
      namespaces: listShape('In these Namespaces.', textShape('A name.', emptyProblem, { minLength: 1 })),
      runtimeClasses: listShape(
        'For Pods of these RuntimeClasses.',
        textShape('A name.', emptyProblem, { minLength: 1 }),
      ),
    }),
  },
);

const kyverno = object(
  'How Kyverno is installed in the cluster. Default: as the repository or the Helm chart has it.',
  {
    version: choice('The release whose verdict is asked for. Default: `"1.19"`.', KYVERNO_VERSIONS),
    namespace: textShape('Where it runs. Default: `kyverno`.', emptyProblem, { minLength: 1 }),
    resourceFilters: listShape(
      'Requests that it lets through unseen, as in its ConfigMap. Default: those of the chart.',
      textShape('`[Kind,namespace,name]`, with wildcards.', filterProblem, { pattern: RESOURCE_FILTER.source }),
    ),
    excludeGroups: listShape('Groups whose requests it lets through. Default: `system:nodes`.', textShape('A group.')),
    excludeUsernames: listShape('Users whose requests it lets through. Default: none.', textShape('A username.')),
    namespaceSelector: object('Of its webhooks. Default: every Namespace but `kube-system`.', {
      matchLabels: mapShape('Labels that a Namespace has to have.', textShape('A value.')),
      matchExpressions: listShape(
        'Requirements.',
        object(
          'A requirement.',
          {
            key: textShape('A label.', emptyProblem, { minLength: 1 }),
            operator: choice('How the label is compared.', SELECTOR_OPERATORS),
            values: listShape('For `In` and `NotIn`.', textShape('A value.')),
          },
          ['key', 'operator'],
        ),
      ),
    }),
    exceptions: object('Its flags for PolicyExceptions.', {
      enabled: flagShape('Default: `true` here; the chart has `false`.'),
      namespace: textShape('The only namespace they count in. Default: any.'),
    }),
    defaultRegistry: textShape('Of images that name none. Default: `docker.io`.', emptyProblem, { minLength: 1 }),
    enableDefaultRegistryMutation: flagShape('Whether such images have the registry added. Default: `true`.'),
  },
);
const repositoryUrl = textShape(
  'An address, as the objects name it; protocol, user and `.git` do not matter.',
  emptyProblem,
  {
    minLength: 1,
  },
);
const texts = (description: string) => mapShape(description, textShape('A text.'));

const rendering = object('What the repository does not tell of the controllers that apply it.', {
  roots: wholeNumber('Most roots that a run builds; the others are not rendered. Default: 2500.', 1),
  argo: object('Argo CD.', {
    repositoryUrls: listShape(
      'Addresses of this repository. Default: the one that most Applications name with a path that exists here.',
      repositoryUrl,
    ),
    clusters: listShape(
      'Every cluster that Argo CD knows, besides its own, for `clusters` generators and for destinations by name. Default: they are not known.',
      object(
        "What the cluster's Secret says.",
        {
          name: textShape('As `destination.name`.', emptyProblem, { minLength: 1 }),
          server: textShape('As `destination.server`.', serverProblem, { pattern: SERVER.source }),
          project: textShape('Default: none.'),
          labels: texts('What `clusters` generators select by. Default: none.'),
          annotations: texts('Default: none.'),
        },
        ['name', 'server'],
      ),
    ),
  }),
  flux: object('Flux.', {
    sources: mapShape(
      'Sources that are this repository, by `<kind>/<namespace>/<name>` or by address, with the folder that is their root: `.` for the top.',
      textShape('A folder.', folderProblem),
    ),
    substitute: mapShape(
      'Values of ConfigMaps and Secrets that only the cluster has, for `substituteFrom` and `valuesFrom`: by `ConfigMap/<namespace>/<name>` or `Secret/<namespace>/<name>`.',
      texts('Texts by key.'),
      dataNameProblem,
    ),
  }),
});

/** `versionProblem` says what is wrong with a Kubernetes version, in words that follow it. */
export function configurationShape(versionProblem: (version: string) => string | undefined = versionTextProblem) {
  const kubernetesVersion = textShape(
    'Version of the API server whose verdict is asked for, in quotes: `"1.36"`.',
    (version) => versionTextProblem(version) ?? versionProblem(version),
    { pattern: VERSION.source },
  );
  const cluster = {
    clusterFacts,
    complete,
    kubernetesVersion,
    fieldValidation,
    disabledAdmissionPlugins,
    featureGates,
    mutationDrift,
    podSecurity,
    kyverno,
    user,
  };
  const target = object('A cluster, or a part of one, that some of the manifests are applied to.', {
    policies,
    policySources: listShape(
      'Names of the sources whose policies hold here. Default: all of them.',
      textShape('A name.'),
    ),
    manifests: object('Which of the files are applied there. Default: all of them.', {
      include: listShape('Default: every file.', glob),
      exclude: listShape('Stronger than `include`.', glob),
    }),
    ...cluster,
  });
  return object('Configuration of Preadmit: `.preadmit.yaml` at the top of the repository.', {
    version: choice('Version of this file format.', [1]),
    include: listShape('Files to read. Default: `**/*.{yaml,yml,json}`.', glob),
    exclude: listShape('Files to leave alone, stronger than everything else. Default: `**/node_modules/**`.', glob),
    skip: listShape(
      'Manifests that are read, listed and not evaluated.',
      object(
        'Files, and why they are not evaluated.',
        {
          files: listShape('Globs.', glob),
          reason: textShape('For whoever reads the report.', emptyProblem, { minLength: 1 }),
        },
        ['files', 'reason'],
      ),
    ),
    evaluate: listShape(
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
    workLimit: wholeNumber(
      'Steps that the run may take, whatever the machine; what is left then is not evaluated, and the run fails. Default: 400000000, and 50 for each character of the files that are read.',
      1,
    ),
    policies,
    policySources: mapShape(
      'Policies from outside the repository, by a name for messages. Default: none, nothing is fetched.',
      policySource,
      sourceNameProblem,
    ),
    schemas: listShape(
      'Where schemas of custom kinds are that the repository uses and does not define: files and folders from its top, and addresses that are asked only with `--fetch-schemas`; `{{.Group}}`, `{{.ResourceKind}}` and `{{.ResourceAPIVersion}}` stand for the kind. Default: none.',
      textShape('A folder, a file with definitions, or a template.', schemaLocationProblem, { minLength: 1 }),
    ),
    ...cluster,
    rendering,
    targets: mapShape(
      'Clusters by name; what a target does not say it takes from above. Default: one for each cluster that the repository tells of.',
      target,
      (name) => (TARGET_NAME.test(name) ? undefined : 'is no name of a target: use letters, digits, `-`, `_` and `.`'),
    ),
  });
}

export type WrittenConfiguration = ShapeType<ReturnType<typeof configurationShape>>;
export type WrittenTarget = MapValue<NonNullable<WrittenConfiguration['targets']>>;
export type WrittenUser = ShapeType<typeof user>;
export type WrittenPodSecurity = ShapeType<typeof podSecurity>;
export type WrittenKyverno = ShapeType<typeof kyverno>;

function filterProblem(value: string): string | undefined {
  return RESOURCE_FILTER.test(value) ? undefined : 'is no filter such as `[Pod,shop,*]`';
}
export type WrittenRendering = ShapeType<typeof rendering>;

function podSecurityVersionProblem(value: string): string | undefined {
  return POD_SECURITY_VERSION.test(value) ? undefined : 'is neither `latest` nor a version such as `v1.36`';
}

function serverProblem(value: string): string | undefined {
  return SERVER.test(value) ? undefined : 'is no address such as `https://cluster.example.com`';
}

function sourceNameProblem(name: string): string | undefined {
  if (name === SCHEMA_SOURCE) return 'is the name under which `schemas` are told';
  return SOURCE_NAME.test(name) ? undefined : 'is no name of a source: use letters, digits, `-`, `_` and `.`';
}

function folderProblem(value: string): string | undefined {
  const isInside = !value.startsWith('/') && !value.split('/').includes('..');
  return isInside && value !== '' ? undefined : 'is no folder of this repository, from its top';
}

function dataNameProblem(name: string): string | undefined {
  return DATA_NAME.test(name) ? undefined : 'is neither `ConfigMap/<namespace>/<name>` nor `Secret/<namespace>/<name>`';
}

function completeProblem(value: string): string | undefined {
  return COMPLETE.test(value) ? undefined : 'is neither a kind nor `<kind> in <namespace>`';
}

function emptyProblem(value: string): string | undefined {
  return value.trim() === '' ? 'is empty' : undefined;
}

type MapValue<M> = M extends ReadonlyMap<string, infer V> ? V : never;

function versionTextProblem(version: string): string | undefined {
  return VERSION.test(version) ? undefined : 'is no Kubernetes version such as `1.36`';
}
