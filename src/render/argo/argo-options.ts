// What a repository does not say about the Argo CD that reads it, and a person can.

/** A cluster that Argo CD knows: what its Secret says. */
export interface ArgoCluster {
  readonly name: string;
  readonly server: string;
  readonly project?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface ArgoOptions {
  /** Addresses of this repository, in any form; absent or empty: what its Applications name most. */
  readonly repositoryUrls?: readonly string[];
  /** All clusters; absent: they are not known. The one Argo CD runs in is there without being named. */
  readonly clusters?: readonly ArgoCluster[];
}
