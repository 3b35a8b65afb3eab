// What a part of a run, such as a thread, makes of some objects of one target: plain data that joins into the report of the whole run.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { ObjectDiagnostic } from '../../policy/evaluation/object-diagnostic.ts';
import type { LoadedPolicy } from '../../policy/language/policy-language.ts';
import { append } from '../../source/json/append.ts';
import { Suppressions, type SuppressionUse } from '../baseline/suppression.ts';
import { draftFindings } from '../finding/finding.ts';
import { FindingParts } from '../finding/finding-parts.ts';
import type { ReportedDiagnostic } from '../report.ts';
import { type CountedTarget, TargetTally } from '../tally/target-tally.ts';
import { isOpen, marksOf } from '../tally/verdict-marks.ts';
import { KeptFindings, type PartFindings } from './kept-findings.ts';
import type { ReportOptions } from './report-builder.ts';
import { fixWorkOf, type ReportedDiagnostics } from './reported-diagnostics.ts';

interface PartDiagnostic {
  readonly order: number;
  /** As if nothing suppressed it. */
  readonly reported: ReportedDiagnostic;
  readonly fixWork: number;
  /** Number of its resource, where that suppresses something. */
  readonly suppressible?: number;
}

/** Whatever has an order has that of its object among those of the target. */
export interface TargetPart {
  readonly tally: CountedTarget;
  readonly findings: PartFindings;
  readonly diagnostics: readonly PartDiagnostic[];
  readonly suppressed: readonly {
    readonly order: number;
    readonly resource: number;
    readonly uses: readonly SuppressionUse[];
  }[];
  /** Objects that are open. */
  readonly open: number;
}

/** Makes a part; objects come in their order. */
export class TargetPartBuilder {
  readonly #target: string;
  readonly #options: Pick<ReportOptions, 'failOn' | 'suppressions' | 'today'>;
  readonly #numberOf: (resource: Resource) => number | undefined;
  readonly #reported: ReportedDiagnostics;
  readonly #parts = new FindingParts();
  readonly #findings: KeptFindings;
  readonly #tally = new TargetTally();
  readonly #diagnostics: PartDiagnostic[] = [];
  readonly #suppressions = new Map<Resource, { readonly order: number; readonly lines: Suppressions }>();
  #open = 0;

  /** `reported`: of the whole part of the run. `numberOf`: undefined for what is none of the state's resources. */
  constructor(
    target: string,
    options: Pick<ReportOptions, 'failOn' | 'suppressions' | 'today'>,
    numberOf: (resource: Resource) => number | undefined,
    reported: ReportedDiagnostics,
  ) {
    this.#target = target;
    this.#options = options;
    this.#numberOf = numberOf;
    this.#reported = reported;
    this.#findings = new KeptFindings(this.#parts, (place, file) => reported.hashed(place, file));
  }

  get findings(): Pick<KeptFindings, 'count' | 'hasRendered'> {
    return this.#findings;
  }

  addEvaluated(evaluated: EvaluatedResource, order: number, changedBy: string | undefined): void {
    const { resource } = evaluated;
    const lines = this.#linesOf(resource);
    if (lines !== undefined) this.#suppressions.set(resource, { order, lines });
    const drafted = draftFindings(evaluated, this.#target, changedBy);
    this.#findings.addDrafts(drafted, (draft) => marksOf(draft, lines), order);
    this.#tally.add(evaluated, order);
    if (isOpen(evaluated, this.#options.failOn)) this.#open += 1;
  }

  /** Finds the places of all findings of an object and adds nothing: for whoever cannot find all. */
  tryPlaces(evaluated: EvaluatedResource): void {
    for (const draft of draftFindings(evaluated, this.#target).drafts) draft.finish(this.#parts);
  }

  /** Of one object: all of them, or none where finding their places fails. */
  addDiagnostics(diagnostics: readonly (Diagnostic | ObjectDiagnostic)[], order: number): void {
    const all = diagnostics.map((diagnostic): PartDiagnostic => {
      const isSuppressible = 'resource' in diagnostic && this.#linesOf(diagnostic.resource) !== undefined;
      const number = isSuppressible ? this.#numberOf(diagnostic.resource) : undefined;
      const fixWork = fixWorkOf(diagnostic);
      const reported = this.#reported.of(diagnostic);
      return { order, reported, fixWork, ...(number !== undefined && { suppressible: number }) };
    });
    append(this.#diagnostics, all);
  }

  /** `policies`: of the target. */
  part(policies: readonly LoadedPolicy[]): TargetPart {
    const suppressed = [...this.#suppressions].flatMap(([resource, { order, lines }]) => {
      const number = this.#numberOf(resource);
      return number === undefined ? [] : [{ order, resource: number, uses: lines.uses }];
    });
    return {
      tally: this.#tally.counted(policies),
      findings: this.#findings.part(),
      diagnostics: this.#diagnostics,
      suppressed,
      open: this.#open,
    };
  }

  #linesOf(resource: Resource): Suppressions | undefined {
    const { suppressions, today } = this.#options;
    return this.#suppressions.get(resource)?.lines ?? Suppressions.of(resource, suppressions, today, undefined);
  }
}

/** Of all parts; what is of one object stays in its order. */
export function inOrder<Item extends { readonly order: number }>(parts: readonly (readonly Item[])[]): readonly Item[] {
  return parts.flat().sort((one, other) => one.order - other.order);
}

/** Remarks that are told of the first object that shows them, of which each part knows a first one. */
const TOLD_ONCE: ReadonlySet<ReportedDiagnostic['code']> = new Set<ReportedDiagnostic['code']>([
  'order-dependent-mutation',
  'repeating-mutation',
]);

/** `diagnostics` in their order. */
export function withoutRetold(diagnostics: readonly PartDiagnostic[]): readonly PartDiagnostic[] {
  const told = new Set<string>();
  return diagnostics.filter(({ reported: { code, message, primary } }) => {
    if (!TOLD_ONCE.has(code)) return true;
    const key = JSON.stringify([code, message, primary]);
    return !told.has(key) && told.add(key) !== undefined;
  });
}
