// What a run found, as plain JSON: self-contained, mergeable across shards, the only thing formats and GitHub see.
import type { Severity } from '../diagnostic/diagnostic.ts';
import type { Unknown, UnknownKind } from '../policy/evaluation/unknown.ts';
import type { ValidationAction } from '../policy/language/policy.ts';
import type { PolicyFacts } from '../policy/language/policy-facts.ts';
import type { FailOn, OnUndecided, PoliciesFrom, Touched } from '../settings/configuration.ts';

export type { FailOn, OnUndecided, PoliciesFrom, Severity, Touched, ValidationAction };

/** Raised when a field changes meaning or disappears; adding fields does not raise it. */
export const REPORT_SCHEMA_VERSION = 1;

/** What a run found. It holds everything that formats show, and nothing that depends on the machine or the time. */
export interface Report {
  readonly schemaVersion: typeof REPORT_SCHEMA_VERSION;
  /** Version of Preadmit that wrote it. */
  readonly preadmit: string;
  readonly verdict: Verdict;
  readonly coverage: Coverage;
  readonly targets: readonly TargetSummary[];
  /** Sorted by path, place, policy, rule. */
  readonly findings: readonly Finding[];
  /** Problems of texts (policies, configuration, manifests), not of what policies say about objects. */
  readonly diagnostics: readonly ReportedDiagnostic[];
  /** Only in the report of a part of a run, which says nothing of the objects in the other parts. */
  readonly shard?: ShardSummary;
  /** Only where a state of the repository was compared with an earlier one. */
  readonly comparison?: Comparison;
  /** Why nothing was compared where it should have been; the report is on the whole repository then. */
  readonly notCompared?: string;
  /** Where else than from the repository policies came that the verdict is by; absent: from nowhere. */
  readonly policySources?: readonly PolicySourceSummary[];
  /** Only where the change touches what decides about other objects. */
  readonly blastRadius?: BlastRadius;
  /** Only where they were asked for and states were compared; the first 100 by path and line. */
  readonly suggestions?: readonly Suggestion[];
  /** Path of a configuration or baseline with errors, which are the diagnostics: nothing else was read. */
  readonly unusable?: string;
  /** Only where there are more findings than a report holds: those that are not in it, as many as there are of each severity. */
  readonly unlisted?: UnlistedFindings;
}

/** Whole lines of a file and what to write instead; where `before` is empty, `after` comes before line `line`. Texts without line ends. */
export interface LineFix {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The lines around `before`, for those who cannot insert but only replace; absent where the file ends or the line is not to be shown. */
  readonly above?: string;
  readonly below?: string;
}

/** What the author of a manifest could write, so that mutating policies have less to change. */
export interface Suggestion {
  readonly resource: ResourceName;
  /** Fields of the object, sorted. */
  readonly fields: readonly string[];
  /** Whose changes these are, sorted by name. */
  readonly policies: readonly { readonly kind: string; readonly name: string }[];
  readonly fix: LineFix;
}

/** Where policies came from besides the repository. */
export interface PolicySourceSummary {
  readonly name: string;
  /** Which version was read: `v1.4.0, commit 0123…`; empty for folders. */
  readonly version: string;
}

/** How many findings of each severity are not in the report. */
export type UnlistedFindings = Readonly<Record<Severity, number>>;

/** What `preadmit merge` needs besides the report itself. */
export interface ShardSummary {
  /** From 1. */
  readonly index: number;
  readonly count: number;
  /** Digest of the configuration and of every text that was read: the same in all shards of a run. */
  readonly contents: string;
  /** The unknowns of each target, numbers apart. */
  readonly unknowns: readonly (readonly Unknown[])[];
}

/** What a change does to the objects of a repository. */
export interface Comparison {
  /** Commit ids, or what stands for them. */
  readonly base: string;
  readonly head: string;
  /** Where the verdict's policies, bindings, params and Namespaces come from. */
  readonly policiesFrom: PoliciesFrom;
  /** `changes`: objects in changed files alone; `repository`: all of them, as the change or the question concerns all. */
  readonly scope: 'changes' | 'repository';
  /** Paths in head or, of deleted files, in base; sorted. */
  readonly changedFiles: readonly string[];
  /** Of the objects looked at, by target and object. */
  readonly objects: {
    readonly created: number;
    readonly updated: number;
    readonly deleted: number;
    readonly unchanged: number;
  };
  /** Findings of base that head does not have any more. */
  readonly fixed: readonly Finding[];
  /** What a reader has to know to read the verdict rightly, one sentence each. */
  readonly notices: readonly string[];
}

/** What a changed policy, binding, param, Namespace, CustomResourceDefinition or RBAC object means for the objects of the repository. */
export interface BlastRadius {
  readonly causes: readonly {
    readonly resource: ResourceName;
    readonly change: 'created' | 'updated' | 'deleted';
    readonly path: string;
  }[];
  /** Objects that become denied, become allowed, or become warned about. */
  readonly denied: number;
  readonly allowed: number;
  readonly warned: number;
  /** Objects that keep their answer and get findings that they did not have. */
  readonly stricter: number;
  /** Objects that fare worse than before: a harder answer, or the same one with further findings. */
  readonly worse: number;
  /** Objects that are stored otherwise than before, as mutating policies changed; absent: none. */
  readonly stored?: number;
  /** Objects that become undecided; absent: none. */
  readonly open?: number;
  /** Worst first, then by path and place. */
  readonly entries: readonly BlastRadiusEntry[];
}

/** What becomes of an object, the mildest first. `undecided`: something missing decides whether it is denied. */
export type Outcome = 'allowed' | 'audited' | 'warned' | 'undecided' | 'denied';

/** One object for which head's rules give another answer than base's, or the same one for other reasons. */
export interface BlastRadiusEntry {
  readonly target: string;
  readonly resource: ResourceName;
  readonly before: Outcome;
  readonly after: Outcome;
  /** Number of findings by head's rules alone, and by base's alone. */
  readonly added: number;
  readonly removed: number;
  /** Names of the policies that make the difference, sorted. */
  readonly policies: readonly string[];
  /** What the first of the new findings says; absent where there are only findings less. */
  readonly message?: string;
  /** Fields that are stored otherwise than before, as mutating policies changed; the first 20. Absent: none. */
  readonly fields?: readonly StoredField[];
  readonly primary: Place;
}

/** A field of an object as the cluster stores it, under the rules before and after; texts of JSON, shortened. */
export interface StoredField {
  readonly field: string;
  /** Absent where the object does not have it then. */
  readonly before?: string;
  readonly after?: string;
}

/** An object as one target judges it. */
export interface JudgedObject {
  readonly target: string;
  readonly resource: ResourceName;
  /** What is said of it; absent where it is what the finding says. */
  readonly message?: string;
  readonly serverMessage?: string;
}

/** `existing`: base has the same finding already. */
export type FindingStatus = 'new' | 'existing' | 'fixed';

/** Whether the gate passes, and the numbers that decided. The rule is `failOn`. */
export interface Verdict {
  /**
   * `allowed`: the gate passes. `denied`: it does not. `undecided`: no finding fails it, but not everything that could was judged;
   * `onUndecided` decides whether it passes.
   * `nothing-checked`: no object was offered to a bound policy.
   */
  readonly conclusion: 'allowed' | 'denied' | 'undecided' | 'nothing-checked';
  readonly failOn: FailOn;
  /** What `undecided` does to the gate. */
  readonly onUndecided: OnUndecided;
  /** What the gate and these numbers count where states were compared: the change's own findings and errors, or all. */
  readonly only?: 'new' | 'all';
  /** Only with `only`: whether findings that base has too count for objects that the change updates. */
  readonly touched?: Touched;
  /** Resources with at least one finding of that action; a resource denied and warned counts in both. */
  readonly denied: number;
  readonly warned: number;
  readonly audited: number;
  /** Diagnostics of severity error. */
  readonly errors: number;
  /** Resources with a finding that something missing leaves open; of a change, those it leaves alone do not count. */
  readonly undecided: number;
  /** Resources about which a policy that might fail the gate was not asked, or under an assumption; `unknowns` of the targets say why. */
  readonly open: number;
  /** Roots of which nothing is known; of a change, those that it breaks or touches. */
  readonly notRendered: number;
  /** Files and documents that a controller would read and that were not read: too large, in Git LFS. */
  readonly unread: number;
}

/** What was read, what was judged, and why the rest was not. */
export interface Coverage {
  /** Files read. */
  readonly files: number;
  /** Documents in those files, items of Lists counted one each instead of their List. */
  readonly found: number;
  /** Resources that were turned into an admission request and offered to every policy. */
  readonly evaluated: number;
  /** evaluated + the sum of these counts = found; every reason that occurred, most frequent first. */
  readonly notEvaluated: readonly { readonly reason: string; readonly meaning: string; readonly count: number }[];
  /** Each document or file not evaluated. */
  readonly skipped: readonly SkippedEntry[];
}

/** A document or a file that no policy was asked about. */
export interface SkippedEntry {
  readonly path: string;
  /** Line of the document's start, from 1; absent when the whole file was left out. */
  readonly line?: number;
  readonly reason: string;
  readonly detail?: string;
}

/** One cluster: its policies, how much of it was judged, and what stayed open. */
export interface TargetSummary {
  readonly name: string;
  /** What told of the cluster, where no configuration describes it: `folder clusters/staging`, `destination https://…`. */
  readonly derivedFrom?: string;
  readonly kubernetesVersion: string;
  readonly user: string;
  readonly evaluated: number;
  readonly policies: readonly PolicySummary[];
  /** What the verdict could not know, one sentence each (authorizer, missing Namespaces, missing params …). */
  readonly unknowns: readonly string[];
  /** Of resources that were evaluated; most frequent first. */
  readonly unknownKinds: readonly UnknownKind[];
  /** What mutating policies add to objects and Git does not write, by policy and field; most objects first. Absent: nothing. */
  readonly additions?: readonly ClusterAddition[];
  /** What policies would deny if no other changed the object, only where that was asked for; the first 200. */
  readonly mutatedAway?: readonly MutatedAwayFinding[];
}

/** A field that the cluster will have and Git does not write, as a mutating policy adds it. */
export interface ClusterAddition {
  readonly policy: { readonly kind: string; readonly name: string };
  /** `metadata.labels.team`, `spec.containers[*].imagePullPolicy`. */
  readonly field: string;
  /** Objects that get it. */
  readonly objects: number;
  /** Some of them, by name. */
  readonly examples: readonly ResourceName[];
}

/** What a policy would deny if no other policy changed the object first. */
export interface MutatedAwayFinding {
  /** The policy that would deny. */
  readonly policy: { readonly kind: string; readonly name: string };
  readonly binding?: string;
  /** Field of the policy. */
  readonly field: string;
  readonly message: string;
  readonly resource: ResourceName;
  /** Names of the policies that change the object before. */
  readonly by: readonly string[];
}

/** One policy of a target, and how many requests it met. */
export interface PolicySummary {
  readonly kind: string;
  readonly name: string;
  readonly path: string;
  readonly bindings: number;
  /** Requests the policy and at least one binding matched. */
  readonly matched: number;
  readonly denied: number;
  readonly warned: number;
  readonly audited: number;
  /** Only where all policies were asked for. */
  readonly facts?: PolicyFacts;
}

/** A place in the repository. Lines and columns count from 1, columns in code points; `end` is exclusive in columns. */
export interface Place {
  readonly path: string;
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** Source lines around the place, long lines cut, for code frames without the repository. */
  readonly excerpt?: Excerpt;
  /** What code scanning calls `primaryLocationLineHash`, of the start line; see `line-hash.ts`. */
  readonly lineHash?: string;
}

/** Lines of a source text, without line ends, values of Secrets as `…`. */
export interface Excerpt {
  /** Line number of the first entry. */
  readonly firstLine: number;
  readonly lines: readonly string[];
}

/** A further place that explains a finding or a problem: the rule, the binding, the param, an earlier definition. */
export interface RelatedPlace {
  readonly message: string;
  /** What of the deciding policy stands there; absent: something else. */
  readonly role?: 'rule' | 'binding' | 'param';
  readonly place: Place;
}

/** What an object is called. `namespace` is absent where none is written; `name` is empty where the server makes one up. */
export interface ResourceName {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** One rule that one resource does not meet, or could not be evaluated on. */
export interface Finding {
  /** Docs page: `docs/codes/<code>.md`. */
  readonly code: string;
  /** Identity independent of lines: target, policy, binding, param, rule, resource, field path. */
  readonly fingerprint: string;
  /** Only where states were compared. */
  readonly status?: FindingStatus;
  readonly target: string;
  /** From the strongest action: Deny error, Warn warning, Audit notice. */
  readonly severity: Severity;
  /**
   * `fail`: the expression was false. `error`: it could not be evaluated and failurePolicy decides. `unknown`: it depends on what
   * the repository does not tell, which the message names; no such finding counts as denied, warned or audited.
   */
  readonly result: 'fail' | 'error' | 'unknown';
  readonly actions: readonly ValidationAction[];
  readonly policy: { readonly kind: string; readonly name: string };
  readonly binding?: string;
  readonly param?: ResourceName;
  /** Field of the policy that decided, e.g. `spec.validations[0].expression`, and its text. */
  readonly rule: { readonly field: string; readonly expression?: string };
  /** The policy's own words, as the API server would fill them in. */
  readonly message: string;
  /**
   * What the API server would answer or warn, whole; `…` stands for what only the server knows. Empty where its warning reaches nobody, as
   * with a line break in it.
   */
  readonly serverMessage: string;
  readonly reason: string;
  /** HTTP status of the denial; absent where the action is not Deny. */
  readonly httpStatus?: number;
  /**
   * On denials of a request that fails in several ways, as the server answers with one of them. `no`: an earlier failure of the same
   * policy, binding and param hides this one. `perhaps`: this one or another; Kubernetes leaves the order of policies, bindings and
   * params open.
   */
  readonly serverTells?: 'yes' | 'perhaps' | 'no';
  readonly operation: string;
  readonly resource: ResourceName;
  /** Field of the object that decided, e.g. `spec.replicas`; empty if the object as a whole. */
  readonly fieldPath: string;
  /** The kustomization that changes this manifest before it is applied; the verdict is on what is written. */
  readonly changedBy?: string;
  /** What of the repository may change the object before policies see it, and is not evaluated: webhooks, mutating policies. */
  readonly mayBeChangedBy?: readonly string[];
  /** All targets that it is of, sorted; absent: it is of one. */
  readonly targets?: readonly string[];
  /** What renders the object, as people call it, sorted; several where the same place is found through all of them. */
  readonly roots?: readonly string[];
  /** Every object that it is of, by target and name; absent: `resource` in `target` alone. */
  readonly objects?: readonly JudgedObject[];
  /** True when the field is not written in the manifest and the API server's default decided. */
  readonly defaulted?: boolean;
  readonly primary: Place;
  readonly related: readonly RelatedPlace[];
  /** Present: the finding is accepted and does not count in the verdict. */
  readonly excuse?: Excuse;
}

/** Who accepted a finding, and until when. */
export interface Excuse {
  /** `baseline`: an entry of the baseline. `annotation`: the object's own annotation. `exception`: an object that a policy language has for it. */
  readonly by: 'baseline' | 'annotation' | 'exception';
  readonly reason: string;
  readonly owner?: string;
  /** Last day on which it holds, as `2027-03-31`. */
  readonly expires?: string;
  /** Where it is written. */
  readonly place: Place;
}

/** What is wrong with a text, in one sentence, with the place and the way out. `docs/codes/<code>.md` explains it. */
export interface ReportedDiagnostic {
  readonly code: string;
  /** Only where states were compared. */
  readonly status?: 'new' | 'existing';
  readonly severity: Severity;
  readonly message: string;
  /** The object that it is about, and the field; absent where it is about a text as a whole, a policy or the configuration. */
  readonly resource?: ResourceName;
  readonly fieldPath?: string;
  /** The render target or file that it is about, where it is not about an object. */
  readonly subject?: string;
  /** `UPDATE`: the change updates the object. Absent otherwise. */
  readonly operation?: string;
  /** Name of the policy that was not evaluated. */
  readonly policy?: string;
  readonly primary?: Place;
  readonly related: readonly RelatedPlace[];
  readonly help?: string;
  /** What mends it, where that is certain. */
  readonly fix?: LineFix;
  /** Of a policy that the server refuses: the number of objects that it would be asked about. */
  readonly concerns?: number;
  /** Only until the report is put together: the server's one message on all that is wrong with the object, which becomes `message`. */
  readonly serverMessage?: string;
  /** What makes others alike, where there may be many. */
  readonly cause?: string;
  /** Of what is alike and told together, this one included; absent: one. */
  readonly count?: number;
  /** Objects, render targets or files that the folded diagnostics are about, as a baseline names them. */
  readonly subjects?: readonly string[];
  /** Present: the problem is accepted and does not count in the verdict. */
  readonly excuse?: Excuse;
}
