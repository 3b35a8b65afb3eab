// The table of reasons why a file was not read or a document not evaluated; docs/not-evaluated.md explains each one.

export interface SkipReasonEntry {
  /** Completes the sentence "not evaluated: …". */
  readonly meaning: string;
  /**
   * True if the file or document may contain an object that a controller applies. In a pull request, Preadmit must then
   * prove that it does not.
   */
  readonly mayHideManifest: boolean;
  /** True if a controller would read the content although Preadmit does not. The verdict must then not be `allowed`. */
  readonly isUnread?: true;
}

export const SKIP_REASONS = {
  excluded: { meaning: 'excluded by `exclude`', mayHideManifest: false },
  'symbolic-link': {
    meaning: 'a symbolic link, which Preadmit does not follow',
    mayHideManifest: true,
  },
  'unread-link': {
    meaning: 'a symbolic link to a manifest that is not read under its own name',
    mayHideManifest: true,
    isUnread: true,
  },
  submodule: { meaning: 'a Git submodule, which belongs to another repository', mayHideManifest: true },
  'applied-submodule': {
    meaning: 'a Git submodule in a folder that a controller applies',
    mayHideManifest: true,
    isUnread: true,
  },
  'special-file': { meaning: 'not a regular file or folder', mayHideManifest: true },
  untracked: { meaning: 'not tracked by Git', mayHideManifest: true },
  'missing-file': {
    meaning: 'tracked by Git, but missing from the work tree',
    mayHideManifest: true,
    isUnread: true,
  },
  'unreadable-file': { meaning: 'the operating system denied access to it', mayHideManifest: true, isUnread: true },
  'outside-root': { meaning: 'resolves to a path outside the repository', mayHideManifest: true, isUnread: true },
  'name-not-utf8': { meaning: 'its name is not valid UTF-8', mayHideManifest: true, isUnread: true },
  'not-utf8': {
    meaning: 'not UTF-8, and not UTF-16 with a byte-order mark',
    mayHideManifest: true,
    isUnread: true,
  },
  'git-lfs-pointer': {
    meaning: 'a Git LFS pointer whose content is not checked out',
    mayHideManifest: true,
    isUnread: true,
  },
  'file-too-large': { meaning: 'larger than 5 MiB', mayHideManifest: true, isUnread: true },
  'too-many-documents': { meaning: 'more than 10,000 documents in one file', mayHideManifest: true, isUnread: true },
  'too-many-files': { meaning: 'over the limit of files in one run', mayHideManifest: true, isUnread: true },
  'total-size-exceeded': {
    meaning: 'over the limit of 512 MiB of text in one run',
    mayHideManifest: true,
    isUnread: true,
  },
  'folder-too-deep': { meaning: 'more than 100 folders deep', mayHideManifest: true, isUnread: true },
  'does-not-parse': { meaning: 'not valid YAML or JSON', mayHideManifest: true },
  'too-deep': { meaning: 'nested more than 1,000 levels deep', mayHideManifest: true, isUnread: true },
  rendered: { meaning: 'evaluated as part of the rendered output, not as written', mayHideManifest: false },
  'not-rendered': { meaning: 'the entry point that uses it could not be rendered', mayHideManifest: true },
  unreached: { meaning: 'no controller of the repository applies it', mayHideManifest: false },
  'never-applied': { meaning: 'its own metadata tells the controller not to apply it', mayHideManifest: false },
  'empty-document': { meaning: 'an empty document', mayHideManifest: false },
  'not-a-resource': { meaning: 'has neither apiVersion nor kind', mayHideManifest: false },
  'incomplete-resource': {
    meaning: 'looks like a resource, but apiVersion or kind is missing or not a string',
    mayHideManifest: true,
  },
  'unnamed-resource': {
    meaning:
      'has neither metadata.name nor metadata.generateName, so the API server rejects it before any policy is evaluated',
    mayHideManifest: true,
  },
  'no-target': { meaning: 'no target of the configuration includes this file', mayHideManifest: true },
  'exempt-kind': { meaning: 'admission policies never apply to objects of this kind', mayHideManifest: false },
  'refused-object': { meaning: 'the API server rejects it before any policy is evaluated', mayHideManifest: true },
  'too-much-work': { meaning: 'the run reached its work limit', mayHideManifest: true },
  'test-assertion': { meaning: 'an assertion of a Chainsaw test, which is never applied', mayHideManifest: true },
  'test-fixture': {
    meaning: 'used only by a test, on a test cluster',
    mayHideManifest: true,
  },
  'client-configuration': {
    meaning: 'configuration of a program, which is never sent to the API server',
    mayHideManifest: false,
  },
  'ci-file': { meaning: 'a CI workflow', mayHideManifest: false },
  'helm-template': { meaning: 'a Helm template that was not rendered', mayHideManifest: true },
  'helm-chart-file': { meaning: 'the description of a Helm chart', mayHideManifest: true },
  'helm-values': { meaning: 'the values of a Helm chart', mayHideManifest: false },
  kustomization: { meaning: 'instructions for kustomize', mayHideManifest: false },
  'kustomize-patch': { meaning: 'a patch that a kustomization applies to other manifests', mayHideManifest: true },
  'kustomize-input': {
    meaning: 'read by a kustomization as configuration or as the content of a generated object',
    mayHideManifest: true,
  },
  template: { meaning: 'a template (`{{ … }}`, `<WORDS>`) of an unknown engine', mayHideManifest: true },
  placeholder: {
    meaning: 'contains a placeholder in apiVersion, kind, name, namespace or a key',
    mayHideManifest: true,
    isUnread: true,
  },
  'sops-encrypted': {
    meaning: 'SOPS encrypted its apiVersion, kind, name or namespace',
    mayHideManifest: true,
    isUnread: true,
  },
  'configured-skip': { meaning: 'excluded by `skip` in the configuration', mayHideManifest: false },
} as const satisfies Record<string, SkipReasonEntry>;

export type SkipReason = keyof typeof SKIP_REASONS;
