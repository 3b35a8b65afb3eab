// Configuration of the Argo CD instance that the repository itself does not contain.
import type { CheckedRevisions } from '../sources/declaration/checked-revisions.ts';

export interface ArgoCluster {
  readonly name: string;
  readonly server: string;
  readonly project?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface ArgoOptions {
  /** Addresses of this repository, in any form. Absent or empty: the address that its Applications name most. */
  readonly repositoryUrls?: readonly string[];
  /** Address that the checked repository comes from; absent if unknown. */
  readonly repositoryUrl?: string;
  /** Decides whether a revision of this repository has the checked files. */
  readonly revisions?: CheckedRevisions;
  /** All clusters; absent if unknown. Argo CD's own cluster is always included. */
  readonly clusters?: readonly ArgoCluster[];
}
