// Evaluates blocks of the objects of a state, whoever takes the others, and makes plain data of what they come to.
import type { StageObserver } from '../../engine/stages.ts';
import type { Target } from '../../engine/target.ts';
import { type LanguageNotes, TargetEvaluator } from '../../engine/target-evaluator.ts';
import { typedConverter } from '../../engine/typed-converter.ts';
import type { Aside } from '../../inventory/aside.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { RunBudget } from '../../kubernetes/request/run-budget.ts';
import type { Unknown, UnknownKind } from '../../policy/evaluation/unknown.ts';
import type { PolicyLanguage } from '../../policy/language/policy-language.ts';
import type { ReportOptions } from '../../report/builder/report-builder.ts';
import { ReportedDiagnostics } from '../../report/builder/reported-diagnostics.ts';
import { type TargetPart, TargetPartBuilder } from '../../report/builder/target-part.ts';
import { append } from '../../source/json/append.ts';
import type { JudgedTarget } from '../check-state.ts';
import { refusedNames } from '../clusters/planned-targets.ts';
import { foldAsideRefusals } from './aside-refusals.ts';
import { PlaceElsewhere } from './handed-manifest.ts';

/** What was made of some blocks: plain data. */
export interface StatePart {
  readonly blocks: readonly number[];
  /** By the number of the target; undefined: none of its blocks. */
  readonly targets: readonly (PartOfTarget | undefined)[];
  readonly work: PartWork;
}

/** What limits of a run count. */
export interface PartWork {
  readonly steps: number;
  readonly findings: number;
  readonly hasRendered: boolean;
}

/** Whatever has an order has that of its object among those of the target. */
export interface PartOfTarget {
  readonly part: TargetPart;
  readonly notes: readonly { readonly order: number; readonly notes: LanguageNotes }[];
  readonly unevaluated: readonly {
    readonly order: number;
    readonly reason: JudgedTarget['unevaluated'][number]['reason'];
    readonly detail: string;
  }[];
  /** Orders of objects that have to be evaluated where all places are known. */
  readonly left: readonly number[];
  readonly refused: readonly string[];
  readonly aside: readonly Aside[];
  readonly unknowns: readonly Unknown[];
  readonly unknownKinds: readonly UnknownKind[];
}

/** Objects of one target that follow each other: from, up to but not including, to. */
export interface ObjectBlock {
  /** Undefined: it is not one of those that are taken. */
  readonly number?: number;
  readonly target: number;
  readonly from: number;
  readonly to: number;
}

export interface EvaluatedState {
  readonly targets: readonly { readonly target: Target; readonly languages: readonly PolicyLanguage[] }[];
  /** That of the targets. */
  readonly work: RunBudget;
  readonly options: Pick<ReportOptions, 'failOn' | 'suppressions' | 'today'>;
  readonly stages: StageObserver;
  /** False: manifests may throw `PlaceElsewhere`. */
  readonly hasAllPlaces: boolean;
  /** False: what would mend a text cannot be made. */
  readonly hasFixes: boolean;
  readonly changedBy: ReadonlyMap<Resource, string | undefined>;
  readonly asideOf: ReadonlyMap<Resource, Aside>;
  /** Of a resource among all of the state. */
  numberOf(resource: Resource): number | undefined;
}

export class StateEvaluator {
  readonly #state: EvaluatedState;
  #last: { readonly target: number; readonly evaluator: TargetEvaluator } | undefined;

  constructor(state: EvaluatedState) {
    this.#state = state;
  }

  /** Those that `next` gives, of one target after the other and in ascending order; `next` is told all the work that was done. */
  evaluate(next: (work: PartWork) => ObjectBlock | undefined): StatePart {
    const { targets: all, work } = this.#state;
    const spentBefore = work.spent;
    // What one has evaluated it does not know again.
    this.forget();
    const reported = new ReportedDiagnostics();
    const targets: (PartOfTarget | undefined)[] = all.map(() => undefined);
    const blocks: number[] = [];
    let done = { findings: 0, hasRendered: false };
    let open: OpenTarget | undefined;
    const allWork = (): PartWork => ({
      steps: work.spent - spentBefore,
      findings: done.findings + (open?.findings.count ?? 0),
      hasRendered: done.hasRendered || open?.findings.hasRendered === true,
    });
    const close = (): void => {
      if (open === undefined) return;
      const { findings, hasRendered } = allWork();
      targets[open.index] = open.close();
      done = { findings, hasRendered };
      open = undefined;
    };
    for (let block = next(allWork()); block !== undefined; block = next(allWork())) {
      if (open?.index !== block.target) {
        close();
        open = this.#open(block.target, reported);
      }
      open.evaluate(block);
      if (block.number !== undefined) blocks.push(block.number);
    }
    close();
    return { blocks, targets, work: allWork() };
  }

  /** The last one is kept: most states have one target. */
  evaluatorOf(index: number): TargetEvaluator {
    if (this.#last?.target === index) return this.#last.evaluator;
    const { target, languages } = this.#targetOf(index);
    const evaluator = new TargetEvaluator(target, languages, typedConverter(target), this.#state.stages);
    evaluator.keepNotes();
    this.#last = { target: index, evaluator };
    return evaluator;
  }

  forget(): void {
    this.#last = undefined;
  }

  #targetOf(index: number): EvaluatedState['targets'][number] {
    return this.#state.targets[index] as EvaluatedState['targets'][number];
  }

  #open(index: number, reported: ReportedDiagnostics): OpenTarget {
    const { options, numberOf } = this.#state;
    const { target } = this.#targetOf(index);
    const builder = new TargetPartBuilder(target.name, options, numberOf, reported);
    return new OpenTarget(index, target, this.evaluatorOf(index), builder, this.#state);
  }
}

/** A target while blocks of it are evaluated. */
class OpenTarget {
  readonly index: number;
  readonly #target: Target;
  readonly #evaluator: TargetEvaluator;
  readonly #builder: TargetPartBuilder;
  readonly #state: EvaluatedState;
  readonly #notes: PartOfTarget['notes'][number][] = [];
  readonly #unevaluated: PartOfTarget['unevaluated'][number][] = [];
  readonly #left: number[] = [];
  readonly #refused: string[] = [];
  readonly #aside = new Set<Aside>();

  constructor(
    index: number,
    target: Target,
    evaluator: TargetEvaluator,
    builder: TargetPartBuilder,
    state: EvaluatedState,
  ) {
    this.index = index;
    this.#target = target;
    this.#evaluator = evaluator;
    this.#builder = builder;
    this.#state = state;
  }

  get findings(): TargetPartBuilder['findings'] {
    return this.#builder.findings;
  }

  evaluate({ from, to }: ObjectBlock): void {
    for (let order = from; order < to; order++) {
      const resource = this.#target.manifests[order];
      if (resource === undefined) continue;
      if (this.#state.hasAllPlaces && this.#state.hasFixes) this.#evaluate(resource, order);
      else this.#tryToEvaluate(resource, order);
    }
  }

  #tryToEvaluate(resource: Resource, order: number): void {
    try {
      this.#evaluate(resource, order);
    } catch (reason) {
      if (!(reason instanceof PlaceElsewhere)) throw reason;
      // Whoever evaluates it counts it, and takes its notes.
      this.#evaluator.unknowns.leaveOut(resource);
      this.#evaluator.takeNotes();
      this.#left.push(order);
    }
  }

  #evaluate(resource: Resource, order: number): void {
    const result = this.#evaluator.evaluate({ operation: 'CREATE', resource });
    const { diagnostics, words, classes } = foldAsideRefusals(result.diagnostics, this.#state.asideOf);
    // Nothing is added of an object before it is certain that all of it can be.
    if (!this.#state.hasFixes && diagnostics.some(({ fix }) => fix !== undefined)) throw new PlaceElsewhere();
    if (!this.#state.hasAllPlaces && result.evaluated !== undefined) this.#builder.tryPlaces(result.evaluated);
    this.#builder.addDiagnostics(diagnostics, order);
    if (result.evaluated === undefined) {
      const { reason, detail } = result.unevaluated;
      this.#unevaluated.push({ order, reason, detail: words.get(resource) ?? detail });
    } else {
      this.#builder.addEvaluated(result.evaluated, order, this.#state.changedBy.get(resource));
    }
    const notes = this.#evaluator.takeNotes();
    if (notes !== undefined) this.#notes.push({ order, notes });
    append(this.#refused, refusedNames(diagnostics));
    for (const aside of classes) this.#aside.add(aside);
  }

  close(): PartOfTarget {
    const { unknowns, policies } = this.#evaluator;
    return {
      part: this.#builder.part(policies),
      notes: this.#notes,
      unevaluated: this.#unevaluated,
      left: this.#left,
      refused: this.#refused,
      aside: [...this.#aside],
      unknowns: unknowns.sentences(),
      unknownKinds: unknowns.kinds(),
    };
  }
}

/** Numbered from 0. */
export function blocksOf(
  targets: readonly Pick<Target, 'manifests'>[],
  size: number,
): readonly (ObjectBlock & { readonly number: number })[] {
  const blocks: (ObjectBlock & { readonly number: number })[] = [];
  for (const [target, { manifests }] of targets.entries()) {
    for (let from = 0; from < manifests.length; from += size) {
      blocks.push({ number: blocks.length, target, from, to: Math.min(from + size, manifests.length) });
    }
  }
  return blocks;
}
