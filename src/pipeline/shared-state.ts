// A state whose objects several threads evaluate: each reads all of it and takes blocks of objects; what they found becomes the report of one.
import { unevaluatedPolicies } from '../engine/other-policies.ts';
import type { Target } from '../engine/target.ts';
import { type LanguageNotes, TargetEvaluator } from '../engine/target-evaluator.ts';
import { typedConverter } from '../engine/typed-converter.ts';
import { Unknowns } from '../engine/unknowns.ts';
import type { Aside } from '../inventory/aside.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { RunBudget } from '../kubernetes/run-budget.ts';
import { sumKinds, type Unknown, type UnknownKind } from '../policy/unknown.ts';
import { MAX_FINDINGS } from '../report/finding-limits.ts';
import { longFingerprint } from '../report/fingerprint.ts';
import type { Report } from '../report/report.ts';
import type { ReportBuilder } from '../report/report-builder.ts';
import { ReportedDiagnostics } from '../report/reported-diagnostics.ts';
import { inOrder, type TargetPart, TargetPartBuilder } from '../report/target-part.ts';
import { append } from '../source/append.ts';
import { asideNotices, asideResources, foldAsideRefusals } from './aside-refusals.ts';
import {
  type CheckInput,
  type JudgedTarget,
  judgedAlone,
  judgedState,
  type KnownState,
  knownState,
} from './check-state.ts';
import { languagesOf } from './languages.ts';
import { type PlannedTarget, refusedNames } from './planned-targets.ts';
import { targetOf } from './targets.ts';

/** Objects that are evaluated one after the other by one thread: enough that asking for them costs nothing. */
const BLOCK = 64;

/** What a thread made of the blocks that it took: plain data. */
export interface StatePart {
  /** The same for all threads that read the same state. */
  readonly key: string;
  readonly blocks: readonly number[];
  /** By the number of the target; absent: none of its blocks. */
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
interface PartOfTarget {
  readonly part: TargetPart;
  readonly notes: readonly { readonly order: number; readonly notes: LanguageNotes }[];
  readonly unevaluated: readonly {
    readonly order: number;
    readonly reason: JudgedTarget['unevaluated'][number]['reason'];
    readonly detail: string;
  }[];
  readonly refused: readonly string[];
  readonly aside: readonly Aside[];
  readonly unknowns: readonly Unknown[];
  readonly unknownKinds: readonly UnknownKind[];
}

/** The next block to evaluate; undefined: no more. `work`: all that the asking thread has done. */
export type TakeBlock = (work: PartWork) => number | undefined;

interface Block {
  readonly target: number;
  readonly from: number;
  readonly to: number;
}

export class SharedState {
  readonly #state: KnownState;
  readonly #targets: readonly Target[];
  readonly #blocks: readonly Block[];
  readonly #numbers: ReadonlyMap<Resource, number>;
  readonly #asideOf: ReadonlyMap<Resource, Aside>;
  readonly #work: RunBudget;
  #evaluators: { readonly target: number; readonly evaluator: TargetEvaluator } | undefined;
  #key: string | undefined;

  /** `block`: number of objects. */
  constructor(input: CheckInput, block = BLOCK) {
    this.#state = knownState(input);
    const { planned, content, isOurs } = this.#state;
    this.#work = RunBudget.of(input.configuration.workLimit, input.files);
    const { explainsMutations = false } = input;
    this.#targets = planned.map(({ configured, belongs }) => ({
      ...targetOf(configured, content.resources, new Set(), isOurs, belongs),
      work: this.#work,
      explainsMutations,
    }));
    this.#blocks = this.#targets.flatMap(({ manifests }, target) =>
      Array.from({ length: Math.ceil(manifests.length / block) }, (_, index) => {
        return { target, from: index * block, to: Math.min((index + 1) * block, manifests.length) };
      }),
    );
    this.#numbers = new Map(content.resources.map(({ resource }, number) => [resource, number]));
    this.#asideOf = asideResources(content.resources);
  }

  /** Objects to evaluate, each once for every target. */
  get objects(): number {
    return this.#targets.reduce((sum, { manifests }) => sum + manifests.length, 0);
  }

  /** Resources that policies are made of, of all targets together. */
  get policies(): number {
    const { planned } = this.#state;
    return this.#targets.reduce((sum, { policies }, index) => {
      const { configured } = planned[index] as PlannedTarget;
      const languages = languagesOf(configured).filter(({ acceptsObjects }) => acceptsObjects !== true);
      return sum + policies.filter((resource) => languages.some((language) => language.accepts(resource))).length;
    }, 0);
  }

  get blocks(): number {
    return this.#blocks.length;
  }

  get key(): string {
    this.#key ??= longFingerprint(this.#names());
    return this.#key;
  }

  /** Evaluates the blocks that `take` gives, in ascending order. */
  evaluate(take: TakeBlock): StatePart {
    const spentBefore = this.#work.spent;
    // What one has evaluated it does not know again.
    this.#evaluators = undefined;
    const reported = new ReportedDiagnostics();
    const targets: (PartOfTarget | undefined)[] = this.#targets.map(() => undefined);
    const blocks: number[] = [];
    let done = { findings: 0, hasRendered: false };
    let open: OpenTarget | undefined;
    const workWith = (more: OpenTarget | undefined): PartWork => ({
      steps: this.#work.spent - spentBefore,
      findings: done.findings + (more?.findings.count ?? 0),
      hasRendered: done.hasRendered || more?.findings.hasRendered === true,
    });
    const close = (): void => {
      if (open === undefined) return;
      const { findings, hasRendered } = workWith(open);
      targets[open.index] = open.close();
      done = { findings, hasRendered };
      open = undefined;
    };
    for (let next = take(workWith(open)); next !== undefined; next = take(workWith(open))) {
      const block = this.#blocks[next];
      if (block === undefined) break;
      if (open?.index !== block.target) {
        close();
        open = this.#open(block.target, reported);
      }
      open.evaluate(block);
      blocks.push(next);
      this.#state.stages.progress(next + 1, this.#blocks.length);
    }
    close();
    return { key: this.key, blocks, targets, work: workWith(undefined) };
  }

  /** Blocks that are in none of the parts. */
  missing(parts: readonly StatePart[]): readonly number[] {
    const known = new Set(parts.flatMap(({ blocks }) => blocks));
    return this.#blocks.flatMap((_, block) => (known.has(block) ? [] : [block]));
  }

  /** Whether so much work, done in parts, might come to another end if it were done by one thread. */
  mayDiffer(works: readonly PartWork[]): boolean {
    const findings = works.reduce((sum, work) => sum + work.findings, 0);
    const steps = works.reduce((sum, work) => sum + work.steps, 0);
    return steps > this.#work.limit || (findings > 2 * MAX_FINDINGS && works.some(({ hasRendered }) => hasRendered));
  }

  /** Of all parts, each block in one of them; by this thread alone where parts may come to another end. */
  report(parts: readonly StatePart[]): Report {
    const works = parts.map(({ work }) => work);
    if (this.mayDiffer(works) || this.missing(parts).length > 0) return this.alone();
    // Threads read what one would read once: they do no less together.
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
    this.#evaluators = undefined;
    return judgedAlone(this.#state);
  }

  #joined(target: Target, index: number, report: ReportBuilder, parts: readonly PartOfTarget[]): JudgedTarget {
    const { content, input, planned } = this.#state;
    const { configured } = planned[index] as PlannedTarget;
    const evaluator = this.#evaluatorOf(index);
    for (const { notes } of inOrder(parts.map((part) => part.notes))) evaluator.addNotes(notes);
    const left = inOrder(parts.map(({ unevaluated }) => unevaluated)).flatMap(({ order, reason, detail }) => {
      const resource = target.manifests[order];
      return resource === undefined ? [] : [{ resource, reason, detail }];
    });
    const unevaluated = new Set(left.map(({ resource }) => resource));
    const ofParts = parts.map(({ part }) => part);
    const evaluated = target.manifests.filter((resource) => !unevaluated.has(resource));
    report.addParts(
      ofParts,
      evaluator.policies,
      evaluated,
      content.resources.map(({ resource }) => resource),
    );
    const told = foldAsideRefusals(evaluator.policyDiagnostics, this.#asideOf);
    const unknowns = new Unknowns();
    for (const sentence of unevaluatedPolicies(target.facts, languagesOf(configured, input.today))) {
      unknowns.add(sentence);
    }
    unknowns.addAll(evaluator.unknowns, () => false);
    return {
      policies: evaluator.policies,
      diagnostics: [...told.diagnostics, ...asideNotices([...parts.flatMap(({ aside }) => aside), ...told.classes])],
      refused: parts.flatMap(({ refused }) => refused),
      unevaluated: left,
      unknowns: [...unknowns.sentences(), ...parts.flatMap((part) => part.unknowns)],
      unknownKinds: sumKinds(parts.flatMap((part) => part.unknownKinds)),
      identityOf: (resource) => evaluator.identityOf(resource),
    };
  }

  /** The last one is kept: most states have one target. */
  #evaluatorOf(index: number): TargetEvaluator {
    if (this.#evaluators?.target === index) return this.#evaluators.evaluator;
    const target = this.#targets[index] as Target;
    const { configured } = this.#state.planned[index] as PlannedTarget;
    const languages = languagesOf(configured, this.#state.input.today);
    const evaluator = new TargetEvaluator(target, languages, typedConverter(target), this.#state.stages);
    evaluator.keepNotes();
    this.#evaluators = { target: index, evaluator };
    return evaluator;
  }

  #open(index: number, reported: ReportedDiagnostics): OpenTarget {
    const target = this.#targets[index] as Target;
    const { input, changedBy } = this.#state;
    const { failOn, suppressions } = input.configuration;
    const options = { failOn, suppressions, today: input.today ?? '' };
    const builder = new TargetPartBuilder(target.name, options, (resource) => this.#numbers.get(resource), reported);
    return new OpenTarget(index, target, this.#evaluatorOf(index), builder, { changedBy, asideOf: this.#asideOf });
  }

  *#names(): Iterable<string> {
    for (const { name, manifests } of this.#targets) yield `${name}\0${manifests.length}\0`;
    for (const { resource } of this.#state.content.resources) {
      const { apiVersion, gvk, namespace, name, generateName, manifest, rootPath } = resource;
      const { root = '', file } = manifest;
      yield [apiVersion, gvk.kind, namespace, name, generateName, file.path, root, ...rootPath, ''].join('\0');
    }
  }
}

interface KnownResources {
  readonly changedBy: KnownState['changedBy'];
  readonly asideOf: ReadonlyMap<Resource, Aside>;
}

/** A target while blocks of it are evaluated. */
class OpenTarget {
  readonly index: number;
  readonly #target: Target;
  readonly #evaluator: TargetEvaluator;
  readonly #builder: TargetPartBuilder;
  readonly #known: KnownResources;
  readonly #notes: PartOfTarget['notes'][number][] = [];
  readonly #unevaluated: PartOfTarget['unevaluated'][number][] = [];
  readonly #refused: string[] = [];
  readonly #aside = new Set<Aside>();

  constructor(
    index: number,
    target: Target,
    evaluator: TargetEvaluator,
    builder: TargetPartBuilder,
    known: KnownResources,
  ) {
    this.index = index;
    this.#target = target;
    this.#evaluator = evaluator;
    this.#builder = builder;
    this.#known = known;
  }

  get findings(): TargetPartBuilder['findings'] {
    return this.#builder.findings;
  }

  evaluate({ from, to }: Block): void {
    for (let order = from; order < to; order++) {
      const resource = this.#target.manifests[order];
      if (resource !== undefined) this.#evaluate(resource, order);
    }
  }

  #evaluate(resource: Resource, order: number): void {
    const result = this.#evaluator.evaluate({ operation: 'CREATE', resource });
    const { diagnostics, words, classes } = foldAsideRefusals(result.diagnostics, this.#known.asideOf);
    if (result.evaluated === undefined) {
      const { reason, detail } = result.unevaluated;
      this.#unevaluated.push({ order, reason, detail: words.get(resource) ?? detail });
    } else {
      this.#builder.addEvaluated(result.evaluated, order, this.#known.changedBy.get(resource));
    }
    const notes = this.#evaluator.takeNotes();
    if (notes !== undefined) this.#notes.push({ order, notes });
    if (diagnostics.length > 0) this.#builder.addDiagnostics(diagnostics, order);
    append(this.#refused, refusedNames(diagnostics));
    for (const aside of classes) this.#aside.add(aside);
  }

  close(): PartOfTarget {
    const { unknowns, policies } = this.#evaluator;
    return {
      part: this.#builder.part(policies),
      notes: this.#notes,
      unevaluated: this.#unevaluated,
      refused: this.#refused,
      aside: [...this.#aside],
      unknowns: unknowns.sentences(),
      unknownKinds: unknowns.kinds(),
    };
  }
}
