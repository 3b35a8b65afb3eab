// Why a file was not read or a document not evaluated: the one table of reasons, each explained in docs/not-evaluated.md.

export interface SkipReasonEntry {
  /** Completes the sentence "not evaluated: …". */
  readonly meaning: string;
  /** True where something a controller applies may be in there all the same: on a pull request it has to be proven that there is not. */
  readonly mayHideManifest: boolean;
  /** True where a controller would read what is not read here, so that nothing may be called allowed. */
  readonly isUnread?: true;
}

export const SKIP_REASONS = {
  excluded: { meaning: 'left out by `exclude`', mayHideManifest: false },
  'symbolic-link': {
    meaning: 'a symbolic link; what it points to is read only under its own path',
    mayHideManifest: true,
  },
  submodule: { meaning: 'a Git submodule, which is another repository', mayHideManifest: true },
  'special-file': { meaning: 'neither a regular file nor a folder', mayHideManifest: true },
  untracked: { meaning: 'not tracked by Git', mayHideManifest: true },
  'missing-file': { meaning: 'tracked by Git, but not in the work tree', mayHideManifest: true },
  'unreadable-file': { meaning: 'the operating system refused to read it', mayHideManifest: true, isUnread: true },
  'outside-root': { meaning: 'lies outside the repository once symbolic links are followed', mayHideManifest: true },
  'name-not-utf8': { meaning: 'its name is not UTF-8', mayHideManifest: true, isUnread: true },
  'not-utf8': { meaning: 'not text: neither UTF-8 nor UTF-16 with a byte-order mark', mayHideManifest: true },
  'git-lfs-pointer': {
    meaning: 'a Git LFS pointer; the content was not checked out',
    mayHideManifest: true,
    isUnread: true,
  },
  'file-too-large': { meaning: 'larger than 5 MiB', mayHideManifest: true, isUnread: true },
  'too-many-documents': { meaning: 'more than 10,000 documents in one file', mayHideManifest: true, isUnread: true },
  'too-many-files': { meaning: 'beyond the number of files read in one run', mayHideManifest: true, isUnread: true },
  'total-size-exceeded': {
    meaning: 'beyond the 512 MiB of text read in one run',
    mayHideManifest: true,
    isUnread: true,
  },
  'folder-too-deep': { meaning: 'more than 100 folders deep', mayHideManifest: true, isUnread: true },
  'does-not-parse': { meaning: 'not valid YAML or JSON', mayHideManifest: true },
  'too-deep': { meaning: 'nested more than 1,000 levels deep', mayHideManifest: true, isUnread: true },
  rendered: { meaning: 'judged as what it is built into, not as it is written', mayHideManifest: false },
  'not-rendered': { meaning: 'what it is built into could not be rendered', mayHideManifest: true },
  'empty-document': { meaning: 'an empty document', mayHideManifest: false },
  'not-a-resource': { meaning: 'has neither apiVersion nor kind', mayHideManifest: false },
  'incomplete-resource': {
    meaning: 'looks like a resource, but apiVersion or kind is missing or not a string',
    mayHideManifest: true,
  },
  'unnamed-resource': {
    meaning: 'has neither metadata.name nor metadata.generateName, so the API server refuses it before any policy',
    mayHideManifest: true,
  },
  'no-target': { meaning: 'no target of the configuration takes this file', mayHideManifest: true },
  'exempt-kind': { meaning: 'admission policies never apply to objects of this kind', mayHideManifest: false },
  'refused-object': { meaning: 'the API server refuses it before any policy', mayHideManifest: true },
  'too-much-work': { meaning: 'the run had taken all the work that it may', mayHideManifest: true },
  'test-assertion': { meaning: 'compared with the cluster by a Chainsaw test, never applied', mayHideManifest: true },
  'test-fixture': {
    meaning: 'applied to a cluster of its own by a test beside it, or read by one',
    mayHideManifest: true,
  },
  'client-configuration': {
    meaning: 'configuration of a program, never sent to the API server',
    mayHideManifest: false,
  },
  'ci-file': { meaning: 'a workflow of a CI system', mayHideManifest: false },
  'helm-template': { meaning: 'a template of a Helm chart, not rendered', mayHideManifest: true },
  'helm-chart-file': { meaning: 'describes a Helm chart', mayHideManifest: true },
  'helm-values': { meaning: 'values of a Helm chart', mayHideManifest: false },
  kustomization: { meaning: 'instructions for kustomize, not rendered', mayHideManifest: false },
  'kustomize-patch': { meaning: 'a patch that a kustomization applies to other manifests', mayHideManifest: true },
  'kustomize-input': {
    meaning: 'read by a kustomization as configuration or as the content of a generated object',
    mayHideManifest: true,
  },
  template: { meaning: 'a template of another kind (`{{ … }}`), not rendered', mayHideManifest: true },
  placeholder: {
    meaning: 'a placeholder stands where apiVersion, kind, name, namespace, a key or a number must be known',
    mayHideManifest: true,
  },
  'sops-encrypted': { meaning: 'encrypted by SOPS; its values are not known', mayHideManifest: true },
  'configured-skip': { meaning: 'left out by `skip` in the configuration', mayHideManifest: false },
} as const satisfies Record<string, SkipReasonEntry>;

export type SkipReason = keyof typeof SKIP_REASONS;
