// Every key of `.preadmit.yaml` with type and meaning. The reader, the JSON Schema and docs/configuration.md follow this file.
import { apiServer } from './api-server-shape.ts';
import { FEATURE_GATE, featureGateProblem } from './feature-gates.ts';
import { historyLocationProblem } from './history-location.ts';
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

/** Lowest result that fails the gate. */
export const FAIL_ON_LEVELS = ['deny', 'warn', 'audit', 'error', 'never'] as const;
export const ON_UNDECIDED = ['fail', 'warn'] as const;
export const UNREACHED = ['judge', 'skip'] as const;
/** What a run may fetch: charts, remote entries of kustomizations, other Git repositories of Flux and Argo CD. */
export const FETCH_KINDS = ['charts', 'bases', 'git'] as const;
export type FetchKind = (typeof FETCH_KINDS)[number];
export const TOUCHED = ['count', 'forgive'] as const;

/** How the API server treats unknown and duplicate fields. */
export const FIELD_VALIDATIONS = ['Strict', 'Warn', 'Ignore'] as const;

/** Admission plugins that Preadmit implements and that a server may disable. */
export const ADMISSION_PLUGINS = [
  'DefaultIngressClass',
  'DefaultStorageClass',
  'DefaultTolerationSeconds',
  'LimitRanger',
  'NamespaceLifecycle',
  'PersistentVolumeClaimResize',
  'PodSecurity',
  'Priority',
  'ResourceQuota',
  'RuntimeClass',
  'ServiceAccount',
  'StorageObjectInUseProtection',
] as const;

/** Pod Security levels, least strict first. */
const POD_SECURITY_LEVELS = ['privileged', 'baseline', 'restricted'] as const;

/** Severity of a field that is set in Git and changed by a mutating policy. */
export const DRIFT_SEVERITIES = ['off', 'notice', 'warning', 'error'] as const;

/** Whether the API server's own validation of Kubernetes' kinds is part of the verdict. */
export const VALIDATION_MODES = ['on', 'off'] as const;

export const SUPPRESSION_MODES = ['allow', 'report', 'deny'] as const;

/** Whose policies decide when two states are compared. */
export const POLICIES_FROM = ['base', 'head', 'both'] as const;

/** Whose suppressions apply when two states are compared. */
export const EXCEPTIONS_FROM = ['base', 'head'] as const;

/** Which findings of a comparison affect the verdict. */
export const COUNTED = ['new', 'all'] as const;

/** Releases of Kyverno that Preadmit implements. */
const KYVERNO_VERSIONS = ['1.19'] as const;
const SELECTOR_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const;
const RESOURCE_FILTER = /^\[[^[\],]+(,[^[\],]*){0,2}\]$/;

const VERSION = /^v?1\.\d{1,3}(\.\d{1,3}([-+][0-9A-Za-z.+-]{1,64})?)?$/;
const API_VERSION = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?\/v[0-9a-z]{1,30}(\/[A-Z][A-Za-z0-9]{0,62})?$/;
const POD_SECURITY_VERSION = /^(latest|v1\.(\d|[1-9]\d{1,2}))$/;
/** Groups: kind, API group, namespace. */
export const COMPLETE = /^([A-Z][A-Za-z0-9]*)(?:\.([a-z0-9][a-z0-9.-]*))?(?: in ([a-z0-9][a-z0-9-]*))?$/;
const SERVER = /^https?:\/\/\S+$/;
const DATA_NAME = /^(?:ConfigMap|Secret)\/[a-z0-9][a-z0-9-]*\/[a-z0-9][a-z0-9.-]*$/;
const TARGET_NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

const glob = textShape('A glob relative to the root of the repository, or the path of a folder or file.', globProblem);

export const user = object(
  'The user that sends the requests; policies read it as `request.userInfo`.',
  {
    username: textShape('E.g. `system:serviceaccount:argocd:argocd-application-controller`.', emptyProblem, {
      minLength: 1,
    }),
    groups: listShape('Default: the groups that the API server adds for the username.', textShape('A group.')),
    uid: textShape('Default: none.'),
    extra: mapShape('Default: none.', listShape('Values of one extra field.', textShape('A value.'))),
  },
  ['username'],
);

const policies = listShape('Files with policies and bindings. Default: every YAML and JSON file.', glob);
const clusterFacts = listShape(
  'Files with objects that are already in the cluster (Namespaces, CustomResourceDefinitions, params, RBAC). They are read, but not evaluated.',
  glob,
);

const policySource = together(
  object('Location and version of the source: one of `folder`, `git`, `oci` and `npm`.', {
    folder: textShape(
      'A folder outside the repository, or an untracked folder in it: relative to the root of the repository, or absolute.',
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
    integrity: textShape('Digest of the `npm` package in lock file format: `sha512-…`.', integrityProblem),
    registry: textShape('Registry of the `npm` package. Default: `https://registry.npmjs.org`.', registryProblem),
    include: listShape(
      'Files of the source with policies, params and CustomResourceDefinitions. Default: every YAML and JSON file.',
      textShape("A glob relative to the source's root, or the path of a folder or file.", globProblem),
    ),
  }),
  sourceProblem,
  SOURCE_SCHEMA,
);

const apiVersions = listShape(
  'API versions that the cluster serves besides those of Kubernetes and of the CustomResourceDefinitions and objects in the files, for `.Capabilities.APIVersions.Has` in charts. Default: unknown, so charts that ask for another API are rendered both ways. An empty list: no others.',
  textShape(
    '`monitoring.coreos.com/v1`, or with a kind: `monitoring.coreos.com/v1/ServiceMonitor`.',
    (value) => (API_VERSION.test(value) ? undefined : 'is neither `<group>/<version>` nor `<group>/<version>/<Kind>`'),
    { pattern: API_VERSION.source },
  ),
);

const complete = listShape(
  'Kinds whose objects are all in the files: an object that is not in the files does not exist. Default: none; a missing object may be in the cluster.',
  textShape(
    '`ConfigMap in platform`, `ConfigMap`, or with a group `Limits.example.com in platform`.',
    completeProblem,
    {
      pattern: COMPLETE.source,
    },
  ),
);

const fieldValidation = choice(
  'How the API server treats unknown and duplicate fields, as with `kubectl apply --validate`. Default: `Strict`, which rejects them.',
  FIELD_VALIDATIONS,
);
const validation = choice(
  "The API server's own validation and warnings for built-in kinds. `off`: only policies decide. Default: `on`.",
  VALIDATION_MODES,
);
const disabledAdmissionPlugins = listShape(
  'Admission plugins that are disabled in the API server, of those that Preadmit implements. Default: none.',
  choice('As in `--disable-admission-plugins`.', ADMISSION_PLUGINS),
);

const featureGates = listShape(
  'Feature gates of the API server that differ from the defaults of its release. Default: none; what depends on a gate that is disabled by default is unknown.',
  textShape('As in `--feature-gates`: `HPAScaleToZero`, or `HPAScaleToZero=false`.', featureGateProblem, {
    pattern: FEATURE_GATE.source,
  }),
);
const mutationDrift = choice(
  'Severity if a mutating policy changes a field that is set in Git: controllers report the object as out of sync. Default: `warning`.',
  DRIFT_SEVERITIES,
);
const podSecurityLevel = (description: string) => choice(description, POD_SECURITY_LEVELS);
const podSecurityVersion = (description: string) =>
  textShape(description, podSecurityVersionProblem, { pattern: POD_SECURITY_VERSION.source });

const podSecurity = object(
  'Pod Security settings of the API server, with the keys of its `PodSecurityConfiguration`.',
  {
    defaults: object('For Namespaces without Pod Security labels.', {
      enforce: podSecurityLevel('Default: `privileged`.'),
      'enforce-version': podSecurityVersion('Default: `latest`.'),
      audit: podSecurityLevel('Default: `privileged`.'),
      'audit-version': podSecurityVersion('Default: `latest`.'),
      warn: podSecurityLevel('Default: `privileged`.'),
      'warn-version': podSecurityVersion('Default: `latest`.'),
    }),
    exemptions: object('Requests that are exempt from Pod Security.', {
      usernames: listShape('Requests of these users.', textShape('A username.', emptyProblem, { minLength: 1 })),
      namespaces: listShape('Requests in these Namespaces.', textShape('A name.', emptyProblem, { minLength: 1 })),
      runtimeClasses: listShape(
        'Requests for Pods with these RuntimeClasses.',
        textShape('A name.', emptyProblem, { minLength: 1 }),
      ),
    }),
  },
);

const kyverno = object(
  'Settings of the Kyverno installation in the cluster. Default: those of the repository, otherwise of the Helm chart.',
  {
    version: choice('The release of Kyverno to simulate. Default: `"1.19"`.', KYVERNO_VERSIONS),
    namespace: textShape('Namespace of the installation. Default: `kyverno`.', emptyProblem, { minLength: 1 }),
    resourceFilters: listShape(
      'Requests that Kyverno ignores, as in its ConfigMap. Default: those of the chart.',
      textShape('`[Kind,namespace,name]`, with wildcards.', filterProblem, { pattern: RESOURCE_FILTER.source }),
    ),
    excludeGroups: listShape('Groups whose requests Kyverno ignores. Default: `system:nodes`.', textShape('A group.')),
    excludeUsernames: listShape('Users whose requests Kyverno ignores. Default: none.', textShape('A username.')),
    namespaceSelector: object('Selector of its webhooks. Default: every Namespace except `kube-system`.', {
      matchLabels: mapShape('Labels that a Namespace must have.', textShape('A value.')),
      matchExpressions: listShape(
        'Requirements.',
        object(
          'A requirement.',
          {
            key: textShape('A label.', emptyProblem, { minLength: 1 }),
            operator: choice('The comparison of the label.', SELECTOR_OPERATORS),
            values: listShape('The values for `In` and `NotIn`.', textShape('A value.')),
          },
          ['key', 'operator'],
        ),
      ),
    }),
    exceptions: object('Its command-line flags for PolicyExceptions.', {
      enabled: flagShape('Default: `true`, although the default of the chart is `false`.'),
      namespace: textShape('The only namespace whose PolicyExceptions apply. Default: any.'),
    }),
    defaultRegistry: textShape('The registry of images that name none. Default: `docker.io`.', emptyProblem, {
      minLength: 1,
    }),
    enableDefaultRegistryMutation: flagShape(
      'Whether the default registry is added to images without one. Default: `true`.',
    ),
  },
);
const repositoryUrl = textShape(
  'An address as written in the objects; protocol, user and `.git` are ignored.',
  emptyProblem,
  {
    minLength: 1,
  },
);
const texts = (description: string) => mapShape(description, textShape('A value.'));

const rendering = object(
  'Settings of the controllers that apply the repository, if the repository does not contain them.',
  {
    roots: wholeNumber(
      'Maximum number of entry points that a run renders; the others are not rendered. Default: 2500.',
      1,
    ),
    processorSeconds: wholeNumber(
      'Maximum processor time that a run renders, over all entry points and threads; the others are not rendered. Default: 120.',
      1,
    ),
    revisions: listShape(
      'Branches and tags of this repository that have the checked files, `HEAD` for the default branch. Default: the one that most objects of the repository name.',
      textShape('A branch or a tag.', emptyProblem, { minLength: 1 }),
    ),
    argo: object('Argo CD.', {
      repositoryUrls: listShape(
        'Addresses of this repository. Default: the address that most Applications use with a path that exists in this repository.',
        repositoryUrl,
      ),
      clusters: listShape(
        'All clusters that Argo CD knows except its own, for `clusters` generators and for destinations by name. Default: unknown.',
        object(
          "The contents of the cluster's Secret.",
          {
            name: textShape('The value for `destination.name`.', emptyProblem, { minLength: 1 }),
            server: textShape('The value for `destination.server`.', serverProblem, { pattern: SERVER.source }),
            project: textShape('Default: none.'),
            labels: texts('Labels that `clusters` generators select by. Default: none.'),
            annotations: texts('Default: none.'),
          },
          ['name', 'server'],
        ),
      ),
    }),
    flux: object('Flux.', {
      sources: mapShape(
        'Sources that point to this repository, by `<kind>/<namespace>/<name>` or by address, each with its root folder: `.` for the root of the repository.',
        textShape('A folder.', folderProblem),
      ),
      substitute: mapShape(
        'Values of ConfigMaps and Secrets that exist only in the cluster, for `substituteFrom` and `valuesFrom`: by `ConfigMap/<namespace>/<name>` or `Secret/<namespace>/<name>`.',
        texts('Values by key.'),
        dataNameProblem,
      ),
    }),
  },
);

/** `versionProblem` describes a problem with a Kubernetes version as a predicate. */
export function configurationShape(versionProblem: (version: string) => string | undefined = versionTextProblem) {
  const kubernetesVersion = textShape(
    'Version of the API server to simulate, in quotes: `"1.36"`. Charts also read the patch level and the suffix of a distribution: `"v1.36.2-eks-1a2b3c4"`.',
    (version) => versionTextProblem(version) ?? versionProblem(version),
    { pattern: VERSION.source },
  );
  const cluster = {
    clusterFacts,
    complete,
    kubernetesVersion,
    apiVersions,
    fieldValidation,
    validation,
    disabledAdmissionPlugins,
    featureGates,
    apiServer,
    mutationDrift,
    podSecurity,
    kyverno,
    user,
  };
  const target = object('A cluster, or a part of one, to which some of the manifests are applied.', {
    policies,
    policySources: listShape(
      'Names of the policy sources that apply to this target. Default: all sources.',
      textShape('A name.'),
    ),
    manifests: object('The files that are applied to this target. Default: all files.', {
      include: listShape('Default: every file.', glob),
      exclude: listShape('Takes precedence over `include`.', glob),
    }),
    ...cluster,
  });
  return object('Configuration of Preadmit: `.preadmit.yaml` at the top of the repository.', {
    version: choice('Version of this file format.', [1]),
    include: listShape('Files to read. Default: `**/*.{yaml,yml,json}`.', glob),
    exclude: listShape(
      'Files to ignore. Takes precedence over all other settings. Default: `**/node_modules/**`.',
      glob,
    ),
    skip: listShape(
      'Manifests that are listed but not evaluated.',
      object(
        'Files with the reason why they are not evaluated.',
        {
          files: listShape('Globs.', glob),
          reason: textShape('The reason shown in the report.', emptyProblem, { minLength: 1 }),
        },
        ['files', 'reason'],
      ),
    ),
    evaluate: listShape(
      'Files whose documents are evaluated regardless of their location, e.g. in a Helm chart or listed as a patch of a kustomization.',
      glob,
    ),
    failOn: choice('The lowest severity that fails the run. Default: `deny`.', FAIL_ON_LEVELS),
    onUndecided: choice(
      'What happens when something that could fail the run was not judged: a rule, an object, a render target or a file. Default: `fail`.',
      ON_UNDECIDED,
    ),
    unreached: choice(
      'What happens to files and render targets that no controller of the repository applies, if it contains objects of Flux or Argo CD that apply files of it. Default: `skip`.',
      UNREACHED,
    ),
    policiesFrom: choice(
      'For comparisons: the state whose policies decide. `both`: findings of either state affect the verdict. Default: `base`.',
      POLICIES_FROM,
    ),
    only: choice(
      'For comparisons: whether only the findings of the change (`new`) or all findings of the repository affect the verdict. Default: `new`.',
      COUNTED,
    ),
    touched: choice(
      'When two states are compared: whether findings that base has too count for objects that the change updates. The API server rejects such updates. Default: `count`.',
      TOUCHED,
    ),
    suppressions: choice(
      'How the annotation `preadmit.dev/ignore` is treated. `report`: each use is a warning; `deny`: each use is an error. Default: `allow`.',
      SUPPRESSION_MODES,
    ),
    exceptionsFrom: choice(
      'For comparisons: the state whose annotations `preadmit.dev/ignore` apply. `head`: a change may suppress its own findings. Default: `base`.',
      EXCEPTIONS_FROM,
    ),
    owner: object(
      'Where objects name their owner, for reports by owner. The annotation wins over the label, and both win over CODEOWNERS. Default: only CODEOWNERS.',
      {
        label: textShape('Key of a label whose value is the owner: `team`.', emptyProblem, { minLength: 1 }),
        annotation: textShape(
          'Key of an annotation whose value is the owner, or several owners separated by spaces or commas.',
          emptyProblem,
          { minLength: 1 },
        ),
      },
    ),
    history: textShape(
      'Where audits keep their history: `branch:<name>` of the repository, or `file:<path>.jsonl`, relative to its root. Default: none.',
      historyLocationProblem,
    ),
    workLimit: wholeNumber(
      'Maximum number of evaluation steps of the run, independent of the machine. If it is reached, the rest is not evaluated and the run fails. Default: 400000000 plus 50 for each character of the files that are read.',
      1,
    ),
    policies,
    policySources: mapShape(
      'Sources of policies outside the repository, by a name for messages. Default: none; nothing is fetched.',
      policySource,
      sourceNameProblem,
    ),
    fetch: listShape(
      'What a run fetches if the repository names it but does not contain it: `charts` of Helm repositories and OCI registries, `bases` (remote entries of kustomizations), `git` (other repositories that Flux and Argo CD apply). Default: none.',
      choice('What to fetch.', FETCH_KINDS),
    ),
    schemas: listShape(
      'Locations of schemas for custom kinds that the repository uses but does not define: files and folders relative to its root, and addresses, which are used only with `--fetch-schemas`. `{{.Group}}`, `{{.ResourceKind}}` and `{{.ResourceAPIVersion}}` are replaced by those of the kind. Default: none.',
      textShape('A folder, a file with definitions, or a template.', schemaLocationProblem, { minLength: 1 }),
    ),
    ...cluster,
    rendering,
    targets: mapShape(
      'Clusters by name; each target inherits the settings above. Default: one target for each cluster that the repository describes.',
      target,
      (name) =>
        TARGET_NAME.test(name) ? undefined : 'is not a valid target name: use letters, digits, `-`, `_` and `.`',
    ),
  });
}

export type WrittenConfiguration = ShapeType<ReturnType<typeof configurationShape>>;
export type WrittenTarget = MapValue<NonNullable<WrittenConfiguration['targets']>>;
export type WrittenUser = ShapeType<typeof user>;
export type WrittenPodSecurity = ShapeType<typeof podSecurity>;
export type WrittenKyverno = ShapeType<typeof kyverno>;

function filterProblem(value: string): string | undefined {
  return RESOURCE_FILTER.test(value) ? undefined : 'is not a filter such as `[Pod,shop,*]`';
}
export type WrittenRendering = ShapeType<typeof rendering>;

function podSecurityVersionProblem(value: string): string | undefined {
  return POD_SECURITY_VERSION.test(value) ? undefined : 'is neither `latest` nor a version such as `v1.36`';
}

function serverProblem(value: string): string | undefined {
  return SERVER.test(value) ? undefined : 'is not an address such as `https://cluster.example.com`';
}

function sourceNameProblem(name: string): string | undefined {
  if (name === SCHEMA_SOURCE) return 'is reserved for definitions from `schemas`';
  return SOURCE_NAME.test(name) ? undefined : 'is not a valid source name: use letters, digits, `-`, `_` and `.`';
}

function folderProblem(value: string): string | undefined {
  const isInside = !value.startsWith('/') && !value.split('/').includes('..');
  return isInside && value !== '' ? undefined : 'is not a folder relative to the root of the repository';
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
  return VERSION.test(version) ? undefined : 'is not a Kubernetes version such as `1.36`';
}
