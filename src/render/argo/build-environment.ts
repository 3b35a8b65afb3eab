// The variables of Argo CD's build environment, e.g. `$ARGOCD_APP_NAME` in parameters and annotations.

export type BuildEnvironment = ReadonlyMap<string, string>;

export interface EnvironmentFacts {
  readonly name: string;
  readonly namespace: string;
  readonly project: string;
  readonly repoURL: string;
  readonly path: string;
  readonly targetRevision: string;
}

/** The commit to be applied is unknown, so its variables keep their written form, which marks the value as unknown. */
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

/** Follows Go's `os.Expand`: `$$` is a dollar sign, and unset variables are empty. */
export function expandVariables(text: string, environment: BuildEnvironment): string {
  return text.replace(
    /\$(?:\{([^}]*)\}|([*#$@!?0-9-])|([A-Za-z_][A-Za-z0-9_]*)|\{)/g,
    (_, braced?: string, special?: string, name?: string) => {
      if (special === '$' || braced === '$') return '$';
      return environment.get(braced ?? special ?? name ?? '') ?? '';
    },
  );
}
