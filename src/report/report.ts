// The report of a run as plain JSON: self-contained, mergeable across shards, the only input of formats and GitHub.
import type { Severity } from '../diagnostic/diagnostic.ts';
import type { Unknown, UnknownKind } from '../policy/evaluation/unknown.ts';
import type { ValidationAction } from '../policy/language/policy.ts';
import type { PolicyFacts } from '../policy/language/policy-facts.ts';
import type { FailOn, OnUndecided, PoliciesFrom, Touched } from '../settings/configuration.ts';
import type { Audit } from './audit/audit.ts';
import type { RepositorySummary } from './audit/repository-summary.ts';
import type { ListedPart, Ownership } from './owner/ownership.ts';
import type { Excerpt, LineFix, Place, RelatedPlace, ResourceName } from './place.ts';

export type {
  Audit,
  Excerpt,
  FailOn,
  LineFix,
  ListedPart,
  OnUndecided,
  Ownership,
  Place,
  PoliciesFrom,
  RelatedPlace,
  RepositorySummary,
  ResourceName,
  Severity,
  Touched,
  ValidationAction,
};

/** Increases when a field changes meaning or disappears; new fields do not increase it. */
export const REPORT_SCHEMA_VERSION = 1;

/** Locations of combined diagnostics that the first one lists. */
export const MAX_COMBINED = 20;

/** Result of a run. It contains everything that formats show, and nothing that depends on machine or time. */
export interface Report {
  readonly schemaVersion: typeof REPORT_SCHEMA_VERSION;
  /** Version of Preadmit that wrote the report. */
  readonly preadmit: string;
  readonly verdict: Verdict;
  readonly coverage: Coverage;
  readonly targets: readonly TargetSummary[];
  /** Sorted by path, location, policy, rule. */
  readonly findings: readonly Finding[];
  /** Problems of policies, configuration and manifests, other than policy findings. */
  readonly diagnostics: readonly ReportedDiagnostic[];
  /** Name of the repository, from its origin: `acme/shop`. Absent: unknown. */
  readonly repository?: string;
  /** Only in a joined report: its repositories, by name. Paths and clusters have the form `acme/shop//apps/web.yaml`. */
  readonly repositories?: readonly RepositorySummary[];
  /** Only in the report of a shard, which covers only its own objects. */
  readonly shard?: ShardSummary;
  /** Only if two states were compared. */
  readonly comparison?: Comparison;
  /** Why the comparison was impossible; the report then covers the whole repository. */
  readonly notCompared?: string;
  /** Policy sources outside the repository that the verdict uses; absent: none. */
  readonly policySources?: readonly PolicySourceSummary[];
  /** Hosts that charts, bases and repositories were fetched from, sorted; absent: nothing was fetched. */
  readonly fetched?: readonly FetchedHost[];
  /** Only if the change touches rules that apply to other objects. */
  readonly blastRadius?: BlastRadius;
  /** Only with `--suggest` in a comparison; the first 100 by path and line. */
  readonly suggestions?: readonly Suggestion[];
  /** Path of a configuration or baseline with errors, listed in `diagnostics`; nothing else was read. */
  readonly unusable?: string;
  /** Number of omitted findings by severity; only if there are more than a report holds. */
  readonly unlisted?: UnlistedFindings;
  /** Where the `owners` of findings come from. Absent: nothing names an owner. */
  readonly ownership?: Ownership;
  readonly listed?: ListedPart;
  /** Only in the report of `preadmit audit`. */
  readonly audit?: Audit;
}

/** An edit of a manifest that makes mutating policies change less. */
export interface Suggestion {
  readonly resource: ResourceName;
  /** Changed fields of the object, sorted. */
  readonly fields: readonly string[];
  /** Policies that make these changes, sorted by name. */
  readonly policies: readonly { readonly kind: string; readonly name: string }[];
  readonly fix: LineFix;
}

/** A source of policies outside the repository. */
export interface PolicySourceSummary {
  readonly name: string;
  /** Version that was read: `v1.4.0, commit 0123…`; empty for folders. */
  readonly version: string;
}

/** Number of charts, bases and repositories that a host provided, from the cache or by request. */
export interface FetchedHost {
  readonly host: string;
  readonly charts: number;
  readonly bases: number;
  readonly git: number;
  /** Number of those that could not be fetched. */
  readonly failed: number;
}

/** Number of omitted findings by severity. */
export type UnlistedFindings = Readonly<Record<Severity, number>>;

/** Data that only `preadmit merge` needs. */
export interface ShardSummary {
  /** Counts from 1. */
  readonly index: number;
  readonly count: number;
  /** Digest of the configuration and of all texts read; equal in all shards of a run. */
  readonly contents: string;
  /** Unknowns of each target, with their numbers kept separate so that they can be added up. */
  readonly unknowns: readonly (readonly Unknown[])[];
}

/** Effect of a change on the objects of a repository. */
export interface Comparison {
  /** Commit ids or folder names. */
  readonly base: string;
  readonly head: string;
  /** State that the verdict's policies, bindings, params and Namespaces come from. */
  readonly policiesFrom: PoliciesFrom;
  /** `changes`: only objects in changed files; `repository`: all objects, because the change or the request concerns all. */
  readonly scope: 'changes' | 'repository';
  /** Paths in head, or in base for deleted files; sorted. */
  readonly changedFiles: readonly string[];
  /** Counts of compared objects, by target and object. */
  readonly objects: {
    readonly created: number;
    readonly updated: number;
    readonly deleted: number;
    readonly unchanged: number;
  };
  /** The deleted objects that head has no other copy of, by kind and name. Absent: none. */
  readonly deleted?: readonly DeletedObject[];
  /** Findings of base that head no longer has. */
  readonly fixed: readonly Finding[];
  /** Remarks that are needed to read the verdict correctly, one sentence each. */
  readonly notices: readonly string[];
}

/** An object that base applies and head does not. */
export interface DeletedObject {
  readonly resource: ResourceName;
  /** Clusters that lose it, sorted. */
  readonly targets: readonly string[];
}

/** Effect of a changed policy, binding, param, Namespace, CustomResourceDefinition or RBAC object on the objects of the repository. */
export interface BlastRadius {
  readonly causes: readonly {
    readonly resource: ResourceName;
    readonly change: 'created' | 'updated' | 'deleted';
    readonly path: string;
  }[];
  /** Number of objects that become denied; likewise the following counts. */
  readonly denied: number;
  readonly allowed: number;
  readonly warned: number;
  /** Objects with the same outcome and new findings. */
  readonly stricter: number;
  /** Objects with a more severe outcome, or with the same outcome and new findings. */
  readonly worse: number;
  /** Objects that are stored differently because mutating policies changed; absent: none. */
  readonly stored?: number;
  /** Objects that become undecided; absent: none. */
  readonly open?: number;
  /** Worst first, then by path and location. */
  readonly entries: readonly BlastRadiusEntry[];
}

/** Outcome for an object, least severe first. `undecided`: missing information decides whether it is denied. */
export type Outcome = 'allowed' | 'audited' | 'warned' | 'undecided' | 'denied';

/** An object whose outcome or findings differ between the rules of base and head. */
export interface BlastRadiusEntry {
  readonly target: string;
  readonly resource: ResourceName;
  readonly before: Outcome;
  readonly after: Outcome;
  /** Number of findings only under head's rules, and only under base's rules. */
  readonly added: number;
  readonly removed: number;
  /** Names of the policies that cause the difference, sorted. */
  readonly policies: readonly string[];
  /** Message of the first of the most severe new findings; absent if findings only disappear. */
  readonly message?: string;
  /** Fields that are stored differently because mutating policies changed; the first 20. Absent: none. */
  readonly fields?: readonly StoredField[];
  readonly owners?: readonly string[];
  readonly primary: Place;
}

/** A stored field under the old and new rules; values are JSON texts, shortened. */
export interface StoredField {
  readonly field: string;
  /** Absent if the object does not have the field in that state. */
  readonly before?: string;
  readonly after?: string;
}

/** An object as one target judges it. */
export interface JudgedObject {
  readonly target: string;
  readonly resource: ResourceName;
  /** Message for this object; absent if it equals that of the finding. */
  readonly message?: string;
  readonly serverMessage?: string;
}

/** `existing`: base has the same finding. */
export type FindingStatus = 'new' | 'existing' | 'fixed';

/** Whether the run passes, and the numbers that decide. The threshold is `failOn`. */
export interface Verdict {
  /**
   * `allowed`: the run passes. `denied`: it fails. `undecided`: nothing fails it, but something that could fail it was not judged.
   * `nothing-checked`: no bound policy applied to any object.
   */
  readonly conclusion: 'allowed' | 'denied' | 'undecided' | 'nothing-checked';
  readonly failOn: FailOn;
  /** Whether `undecided` fails the gate. */
  readonly onUndecided: OnUndecided;
  /** Only in comparisons. What the gate and these numbers count: the findings and errors of the change, or all. */
  readonly only?: 'new' | 'all';
  /** Only with `only`: whether findings that base has too count for objects that the change updates. */
  readonly touched?: Touched;
  /** Resources with at least one finding of that action; a resource that is denied and warned is counted in both. */
  readonly denied: number;
  readonly warned: number;
  readonly audited: number;
  /** Diagnostics of severity error. */
  readonly errors: number;
  /** Resources with an undecided finding; in a comparison, only resources that the change touches. */
  readonly undecided: number;
  /** Resources that a relevant policy did not judge, or judged under an assumption; `unknowns` of the targets say why. */
  readonly open: number;
  /** Roots that could not be rendered; in a comparison, only those that the change breaks or touches. */
  readonly notRendered: number;
  /** Roots that were rendered without a part of their objects; counted like `notRendered`. */
  readonly incomplete: number;
  /** Files and documents that a controller would read but Preadmit did not: too large, or in Git LFS. */
  readonly unread: number;
}

/** What was read and judged, and why the rest was not. */
export interface Coverage {
  /** Number of files read. */
  readonly files: number;
  /** Number of documents in those files; items of a List are counted instead of the List. */
  readonly found: number;
  /** Number of resources offered to every policy as an admission request. */
  readonly evaluated: number;
  /** `evaluated` plus the sum of these counts equals `found`; most frequent reason first. */
  readonly notEvaluated: readonly { readonly reason: string; readonly meaning: string; readonly count: number }[];
  /** Each document or file that was not evaluated. */
  readonly skipped: readonly SkippedEntry[];
}

/** A document or file that was not evaluated. */
export interface SkippedEntry {
  readonly path: string;
  /** First line of the document, from 1; absent if the whole file was skipped. */
  readonly line?: number;
  readonly reason: string;
  readonly detail?: string;
}

/** One cluster: its policies, its coverage and its unknowns. */
export interface TargetSummary {
  readonly name: string;
  /** Origin of a cluster that no configuration describes: `folder clusters/staging`, `destination https://…`. */
  readonly derivedFrom?: string;
  readonly kubernetesVersion: string;
  /** The release as which the API server's own code validates built-in kinds. Absent: only their types and metadata are validated. */
  readonly validatedAs?: string;
  /** Settings of the API server that the files declare and the verdicts follow. Absent: none. */
  readonly serverSettings?: readonly ServerSetting[];
  readonly user: string;
  readonly evaluated: number;
  readonly policies: readonly PolicySummary[];
  /** Information that the verdict lacks, one sentence each (authorizer, missing Namespaces, missing params …). */
  readonly unknowns: readonly string[];
  /** Kinds of evaluated resources without a known definition; most frequent first. */
  readonly unknownKinds: readonly UnknownKind[];
  /** Only in comparisons: those of `unknowns` that base has too. Absent: none. */
  readonly earlierUnknowns?: readonly string[];
  /** Only in comparisons: `apiVersion Kind` of those of `unknownKinds` that base has too. Absent: none. */
  readonly earlierKinds?: readonly string[];
  /** Fields that mutating policies add and Git does not contain, by policy and field; most objects first. Absent: none. */
  readonly additions?: readonly ClusterAddition[];
  /** Findings that exist only without mutating policies, with `--explain-mutations`; the first 200. */
  readonly mutatedAway?: readonly MutatedAwayFinding[];
  /** Audit annotations that policies define, with their values; sorted by key. Absent: none. */
  readonly auditAnnotations?: readonly ReportedAuditAnnotation[];
}

/** A setting of an API server, and the line of the file that declares it. */
export interface ServerSetting {
  /** `feature gate HPAScaleToZero`, `--service-cluster-ip-range`. */
  readonly setting: string;
  readonly value: string;
  readonly path: string;
  readonly line: number;
}

/** An entry of `spec.auditAnnotations` of a policy, as the server writes it into audit events. */
export interface ReportedAuditAnnotation {
  readonly policy: { readonly kind: string; readonly name: string };
  /** `<policy>/<key>`. */
  readonly key: string;
  /** Most frequent first; at most 50. */
  readonly values: readonly AuditAnnotationValue[];
  /** Number of objects with other values. Absent: none. */
  readonly others?: number;
}

/** One value of an audit annotation. */
export interface AuditAnnotationValue {
  readonly value: string;
  readonly objects: number;
  /** One of these objects. */
  readonly example: ResourceName;
}

/** A field that Git does not contain and a mutating policy adds. */
export interface ClusterAddition {
  readonly policy: { readonly kind: string; readonly name: string };
  /** `metadata.labels.team`, `spec.containers[*].imagePullPolicy`. */
  readonly field: string;
  /** Number of objects that get the field. */
  readonly objects: number;
  /** Some of these objects, by name. */
  readonly examples: readonly ResourceName[];
}

/** A denial that does not happen because another policy changes the object first. */
export interface MutatedAwayFinding {
  /** The policy that would deny. */
  readonly policy: { readonly kind: string; readonly name: string };
  readonly binding?: string;
  /** Path of the rule in the policy. */
  readonly field: string;
  readonly message: string;
  readonly resource: ResourceName;
  /** Names of the policies that change the object first. */
  readonly by: readonly string[];
}

/** One policy of a target, and how many requests it matched. */
export interface PolicySummary {
  readonly kind: string;
  readonly name: string;
  readonly path: string;
  readonly bindings: number;
  /** Requests matched by the policy and at least one binding. */
  readonly matched: number;
  readonly denied: number;
  readonly warned: number;
  readonly audited: number;
  /** Requests for which the result is unknown. Absent: none. */
  readonly undecided?: number;
  /** All bindings only warn or audit. Absent: a binding denies, or which objects it denies is open. */
  readonly neverDenies?: true;
  /** Only in the output of `preadmit policies`. */
  readonly facts?: PolicyFacts;
}

/** One rule that a resource violates, or that could not be evaluated on it. */
export interface Finding {
  /** Docs page: `docs/codes/<code>.md`. */
  readonly code: string;
  /** Identity independent of line numbers: target, policy, binding, param, rule, resource, field path. */
  readonly fingerprint: string;
  /** Only if two states were compared. */
  readonly status?: FindingStatus;
  readonly target: string;
  /** From the strongest action: Deny error, Warn warning, Audit notice. */
  readonly severity: Severity;
  /**
   * `fail`: the expression was false. `error`: its evaluation failed and failurePolicy decides. `unknown`: the result depends on
   * information that the repository lacks; the message names it. An `unknown` finding does not count as denied, warned or audited.
   */
  readonly result: 'fail' | 'error' | 'unknown';
  readonly actions: readonly ValidationAction[];
  readonly policy: { readonly kind: string; readonly name: string };
  readonly binding?: string;
  readonly param?: ResourceName;
  /** Path of the deciding rule in the policy, e.g. `spec.validations[0].expression`, and its text. */
  readonly rule: { readonly field: string; readonly expression?: string };
  /** Message of the policy, with its expressions evaluated. */
  readonly message: string;
  /**
   * Complete denial or warning text of the API server; `…` replaces values that only the server knows. Empty if the warning is not sent,
   * for example because it contains a line break.
   */
  readonly serverMessage: string;
  readonly reason: string;
  /** HTTP status of the denial; absent unless the action is Deny. */
  readonly httpStatus?: number;
  /**
   * Only on denials of a request with several failures, of which the server returns one. `no`: an earlier failure of the same policy,
   * binding and param hides this one. `perhaps`: this one or another, because Kubernetes does not define the order of policies, bindings
   * and params.
   */
  readonly serverTells?: 'yes' | 'perhaps' | 'no';
  readonly operation: string;
  readonly resource: ResourceName;
  /** Deciding field of the object, e.g. `spec.replicas`; empty if it is the whole object. */
  readonly fieldPath: string;
  /** The kustomization that changes this manifest before it is applied; the verdict is on the manifest as written. */
  readonly changedBy?: string;
  /** Webhooks and mutating policies of the repository that may change the object first and are not evaluated. */
  readonly mayBeChangedBy?: readonly string[];
  /** All targets of the finding, sorted; absent: only `target`. */
  readonly targets?: readonly string[];
  /** Display names of the roots that render the object, sorted. */
  readonly roots?: readonly string[];
  /** All objects of the finding, by target and name; absent: only `resource` in `target`. */
  readonly objects?: readonly JudgedObject[];
  /** True if the manifest does not set the field and the API server's default decided. */
  readonly defaulted?: boolean;
  readonly primary: Place;
  readonly related: readonly RelatedPlace[];
  /** Owners of the object, or of the file of `primary`; not empty. Absent: no owner is known. */
  readonly owners?: readonly string[];
  /** Day of the first audit that found it; only in audits with a history. */
  readonly since?: string;
  /** Present: the finding is accepted and does not count in the verdict. */
  readonly excuse?: Excuse;
}

/** Acceptance of a finding, with owner and expiry. */
export interface Excuse {
  /**
   * `baseline`: an entry of the baseline. `annotation`: the object's own annotation. `exception`: an exception object of the policy
   * language.
   */
  readonly by: 'baseline' | 'annotation' | 'exception';
  readonly reason: string;
  readonly owner?: string;
  /** Last day of the acceptance, format `2027-03-31`. */
  readonly expires?: string;
  /** Location of the acceptance. */
  readonly place: Place;
}

/** A problem in one sentence, with its location and how to fix it. `docs/codes/<code>.md` explains it. */
export interface ReportedDiagnostic {
  readonly code: string;
  /** Only if two states were compared. */
  readonly status?: 'new' | 'existing';
  readonly severity: Severity;
  readonly message: string;
  /** Like that of findings; for several problems combined into one, all owners. */
  readonly owners?: readonly string[];
  /** Day of the first audit that found it; only in audits with a history. */
  readonly since?: string;
  /** The object and field concerned; absent for problems of a file, a policy or the configuration. */
  readonly resource?: ResourceName;
  readonly fieldPath?: string;
  /** The render target or file that it is about, where it is not about an object. */
  readonly subject?: string;
  /** The part that the render target lacks; the rest of it is judged. Absent: nothing of it is. */
  readonly part?: string;
  /** `UPDATE`: the change updates the object. Absent otherwise. */
  readonly operation?: string;
  /** Name of the policy that was not evaluated. */
  readonly policy?: string;
  readonly primary?: Place;
  readonly related: readonly RelatedPlace[];
  readonly help?: string;
  /** An edit that fixes the problem, if one is certain. */
  readonly fix?: LineFix;
  /** For what a later release removes: `Kyverno 1.20`. */
  readonly removedIn?: string;
  /** For a rejected policy: the number of objects that it would apply to. */
  readonly concerns?: number;
  /** Internal until the report is assembled: the server's message on all errors of the object, which becomes `message`. */
  readonly serverMessage?: string;
  /** Key for combining similar diagnostics. */
  readonly cause?: string;
  /** Number of similar diagnostics combined into this one, including it; absent: one. */
  readonly count?: number;
  /** Present: the diagnostic is accepted and does not count in the verdict. */
  readonly subjects?: readonly string[];
  /** Present: the problem is accepted and does not count in the verdict. */
  readonly excuse?: Excuse;
}
