// A state whose objects several threads evaluate: each takes blocks of them, and what they found becomes the report of one.
import { unevaluatedPolicies } from '../../engine/other-policies.ts';
import type { Target } from '../../engine/target.ts';
import { Unknowns } from '../../engine/unknowns.ts';
import type { Aside } from '../../inventory/aside.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { RunBudget } from '../../kubernetes/request/run-budget.ts';
import { sumKinds } from '../../policy/evaluation/unknown.ts';
import { MAX_WAITING } from '../../report/builder/kept-findings.ts';
import type { ReportBuilder } from '../../report/builder/report-builder.ts';
import { inOrder } from '../../report/builder/target-part.ts';
import type { Report } from '../../report/report.ts';
import {
  type CheckInput,
  type JudgedTarget,
  judgedAlone,
  judgedState,
  type KnownState,
  knownState,
} from '../check-state.ts';
import type { PlannedTarget } from '../clusters/planned-targets.ts';
import { targetOf } from '../clusters/targets.ts';
import { languagesOf } from '../state/languages.ts';
import { asideNotices, asideResources, foldAsideRefusals } from './aside-refusals.ts';
import { type HandedState, handedState } from './handed-state.ts';
import {
  blocksOf,
  type ObjectBlock,
  type PartOfTarget,
  type PartWork,
  StateEvaluator,
  type StatePart,
} from './state-evaluator.ts';

/** Objects that are evaluated one after the other by one thread: enough that asking for them costs nothing. */
const BLOCK = 64;

export class SharedState {
  readonly #state: KnownState;
  readonly #targets: readonly Target[];
  readonly #block: number;
  readonly #numbers: ReadonlyMap<Resource, number>;
  readonly #asideOf: ReadonlyMap<Resource, Aside>;
  readonly #work: RunBudget;
  readonly #evaluator: StateEvaluator;

  /** `block`: number of objects that are taken at once. */
  constructor(input: CheckInput, block = BLOCK) {
    const { explainsMutations = false, configuration, files, today = '' } = input;
    this.#state = knownState(input);
    this.#block = block;
    this.#work = RunBudget.of(configuration.workLimit, files);
    const { planned, content, isOurs, stages, changedBy } = this.#state;
    this.#targets = planned.map(({ configured, belongs }) => ({
      ...targetOf(configured, content.resources, new Set(), isOurs, belongs),
      work: this.#work,
      explainsMutations,
    }));
    this.#numbers = new Map(content.resources.map(({ resource }, number) => [resource, number]));
    this.#asideOf = asideResources(content.resources);
    const { failOn, suppressions } = configuration;
    this.#evaluator = new StateEvaluator({
      targets: this.#targets.map((target, index) => ({ target, languages: this.#languagesOf(index) })),
      work: this.#work,
      options: { failOn, suppressions, today },
      stages,
      hasAllPlaces: true,
      hasFixes: true,
      changedBy,
      asideOf: this.#asideOf,
      numberOf: (resource) => this.#numbers.get(resource),
    });
  }

  /** Objects to evaluate, each once for every target. */
  get objects(): number {
    return this.#targets.reduce((sum, { manifests }) => sum + manifests.length, 0);
  }

  /** Number of blocks. */
  get blocks(): number {
    return this.#targets.reduce((sum, { manifests }) => sum + Math.ceil(manifests.length / this.#block), 0);
  }

  /** Resources that policies are made of, of all targets together. */
  get policies(): number {
    return this.#targets.reduce((sum, { policies }, index) => {
      const languages = this.#languagesOf(index).filter(({ acceptsObjects }) => acceptsObjects !== true);
      return sum + policies.filter((resource) => languages.some((language) => language.accepts(resource))).length;
    }, 0);
  }

  /** What other threads need to evaluate blocks of it; undefined: there is something in it that no thread can be given. */
  handed(): HandedState | undefined {
    const { input, content, planned } = this.#state;
    const { explainsMutations = false, configuration, today = '' } = input;
    const { failOn, suppressions } = configuration;
    return handedState(content.resources, {
      targets: this.#targets.map((target, index) => ({ target, configured: this.#plannedOf(index, planned) })),
      block: this.#block,
      workLimit: this.#work.limit,
      options: { failOn, suppressions, today },
      explainsMutations,
      numberOf: (resource) => this.#numbers.get(resource),
    });
  }

  /** Evaluates the blocks that `take` gives, in ascending order. */
  evaluate(take: (work: PartWork) => number | undefined): StatePart {
    const blocks = blocksOf(this.#targets, this.#block);
    return this.#evaluator.evaluate((work) => {
      const next = take(work);
      const block = next === undefined ? undefined : blocks[next];
      if (block !== undefined) this.#state.stages.progress(block.number, blocks.length);
      return block;
    });
  }

  /** What no part holds, for the thread that died and for what others have left, evaluated; undefined: nothing is left. */
  evaluateRest(parts: readonly StatePart[]): StatePart | undefined {
    const known = new Set(parts.flatMap(({ blocks }) => blocks));
    const missing: ObjectBlock[] = blocksOf(this.#targets, this.#block).filter(({ number }) => !known.has(number));
    for (const { targets } of parts) {
      for (const [target, part] of targets.entries()) {
        for (const order of part?.left ?? []) missing.push({ target, from: order, to: order + 1 });
      }
    }
    if (missing.length === 0) return undefined;
    const blocks = missing.sort((one, other) => one.target - other.target || one.from - other.from).values();
    return this.#evaluator.evaluate(() => blocks.next().value);
  }

  /** Whether so much work, done in parts, might come to another end if it were done by one thread. */
  mayDiffer(works: readonly PartWork[]): boolean {
    const findings = works.reduce((sum, work) => sum + work.findings, 0);
    const steps = works.reduce((sum, work) => sum + work.steps, 0);
    return steps > this.#work.limit || (findings > MAX_WAITING && works.some(({ hasRendered }) => hasRendered));
  }

  /**
   * Of the parts of all threads, each block in one of them at most; what is in none is evaluated now, and everything by this thread alone
   * where parts might come to another end.
   */
  report(given: readonly StatePart[]): Report {
    const rest = this.evaluateRest(given);
    const parts = rest === undefined ? given : [...given, rest];
    const works = parts.map(({ work }) => work);
    if (this.mayDiffer(works)) return this.alone();
    // Threads find out each what one would find out once: together they do no less.
    const others = works.reduce((sum, { steps }) => sum + steps, 0) - this.#work.spent;
    const report = judgedState(this.#state, this.#work, (target, index, builder) =>
      this.#joined(
        target,
        index,
        builder,
        parts.flatMap(({ targets }) => targets[index] ?? []),
      ),
    );
    if (this.#work.spent + others > this.#work.limit) return this.alone();
    this.#state.stages.count('evaluate', 'steps', others);
    return report;
  }

  /** By this thread, everything. */
  alone(): Report {
    this.#evaluator.forget();
    return judgedAlone(this.#state);
  }

  #joined(target: Target, index: number, report: ReportBuilder, parts: readonly PartOfTarget[]): JudgedTarget {
    const { content } = this.#state;
    const evaluator = this.#evaluator.evaluatorOf(index);
    const { policies } = evaluator;
    for (const { notes } of inOrder(parts.map((part) => part.notes))) evaluator.addNotes(notes);
    const left = inOrder(parts.map(({ unevaluated }) => unevaluated)).flatMap(({ order, reason, detail }) => {
      const resource = target.manifests[order];
      return resource === undefined ? [] : [{ resource, reason, detail }];
    });
    const unevaluated = new Set(left.map(({ resource }) => resource));
    report.addParts(
      parts.map(({ part }) => part),
      policies,
      target.manifests.filter((resource) => !unevaluated.has(resource)),
      content.resources.map(({ resource }) => resource),
    );
    const told = foldAsideRefusals(evaluator.policyDiagnostics, this.#asideOf);
    const unknowns = new Unknowns();
    for (const sentence of unevaluatedPolicies(target.facts, this.#languagesOf(index))) unknowns.add(sentence);
    unknowns.addAll(evaluator.unknowns, () => false);
    return {
      policies,
      diagnostics: [...told.diagnostics, ...asideNotices([...parts.flatMap(({ aside }) => aside), ...told.classes])],
      refused: parts.flatMap(({ refused }) => refused),
      unevaluated: left,
      unknowns: [...unknowns.sentences(), ...parts.flatMap((part) => part.unknowns)],
      unknownKinds: sumKinds(parts.flatMap((part) => part.unknownKinds)),
      identityOf: (resource) => evaluator.identityOf(resource),
    };
  }

  #languagesOf(index: number): ReturnType<typeof languagesOf> {
    const { planned, input } = this.#state;
    return languagesOf(this.#plannedOf(index, planned), input.today);
  }

  #plannedOf(index: number, planned: readonly PlannedTarget[]): PlannedTarget['configured'] {
    return (planned[index] as PlannedTarget).configured;
  }
}
