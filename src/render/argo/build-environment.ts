// The variables of Argo CD's build environment, as `$ARGOCD_APP_NAME` in parameters and annotations.

export type BuildEnvironment = ReadonlyMap<string, string>;

export interface EnvironmentFacts {
  readonly name: string;
  /** Of the destination. */
  readonly namespace: string;
  readonly project: string;
  readonly repoURL: string;
  readonly path: string;
  readonly targetRevision: string;
}

/** Which commit will be applied is not known: its variables stay as they are written, which is how unknown values are told. */
export function buildEnvironment(facts: EnvironmentFacts): BuildEnvironment {
  const revisions = ['ARGOCD_APP_REVISION', 'ARGOCD_APP_REVISION_SHORT', 'ARGOCD_APP_REVISION_SHORT_8'];
  return new Map([
    ['ARGOCD_APP_NAME', facts.name],
    ['ARGOCD_APP_NAMESPACE', facts.namespace],
    ['ARGOCD_APP_PROJECT_NAME', facts.project],
    ['ARGOCD_APP_SOURCE_REPO_URL', facts.repoURL],
    ['ARGOCD_APP_SOURCE_PATH', facts.path],
    ['ARGOCD_APP_SOURCE_TARGET_REVISION', facts.targetRevision],
    ...revisions.map((name): [string, string] => [name, `\${${name}}`]),
  ]);
}

/** Go's `os.Expand` with `$$` for a dollar sign; what is not set is empty. */
export function expandVariables(text: string, environment: BuildEnvironment): string {
  return text.replace(
    /\$(?:\{([^}]*)\}|([*#$@!?0-9-])|([A-Za-z_][A-Za-z0-9_]*)|\{)/g,
    (_, braced?: string, special?: string, name?: string) => {
      if (special === '$' || braced === '$') return '$';
      return environment.get(braced ?? special ?? name ?? '') ?? '';
    },
  );
}
