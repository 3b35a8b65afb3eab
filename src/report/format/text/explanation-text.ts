// Explanation as terminal text: all steps of policies that apply, and the stopping step of those that do not.
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import type {
  ExplainedObject,
  ExplainedPatchedField,
  ExplainedPolicy,
  ExplainedStep,
  Explanation,
  Lines,
} from '../../explanation/explanation.ts';
import type { ReporterOptions } from '../../reporter.ts';
import { count, firstLines, resourceLabel } from '../../wording/wording.ts';

type ObservedValue = NonNullable<ExplainedStep['value']>;
type Colour = 'red' | 'green' | 'yellow' | 'dim';

const SGR: Readonly<Record<Colour, string>> = { red: '31', green: '32', yellow: '33', dim: '2' };
const COLOURS: Readonly<Record<ExplainedStep['result'], Colour>> = {
  passes: 'green',
  stops: 'dim',
  fails: 'red',
  error: 'red',
  unknown: 'yellow',
};
/** Changed fields shown of one mutation, unless it belongs to the only policy. */
const MAX_FIELDS = 10;
const MAX_VALUE = 120;
const RESULT_WIDTH = 'unknown'.length;

export function explanationText({ objects }: Explanation, { color }: Pick<ReporterOptions, 'color'>): string {
  const page = new ExplanationPage(color);
  for (const object of objects) page.object(object);
  return page.toString();
}

/** The steps of one policy, with all values. */
export function explainedSteps(policy: ExplainedPolicy, { color }: Pick<ReporterOptions, 'color'>): readonly string[] {
  const page = new ExplanationPage(color);
  page.close(policy);
  return page.toString().trimEnd().split('\n');
}

class ExplanationPage {
  readonly #lines: string[] = [];
  readonly #color: boolean;
  /** True if only one policy is explained: passing steps are then shown with their values too. */
  #isClose = false;

  constructor(color: boolean) {
    this.#color = color;
  }

  object({ target, resource, place, root, notEvaluated, problems, changes, policies }: ExplainedObject): void {
    const from = root === undefined ? '' : `, rendered by ${root}`;
    this.#line(0, `${resourceLabel(resource)} (${at(place)}${from}) on ${target}`);
    for (const problem of problems) {
      const where = problem.place === undefined ? '' : ` (${at(problem.place)})`;
      this.#line(1, `${problem.severity}: ${problem.message} [${problem.code}]${where}`);
    }
    if (notEvaluated !== undefined) {
      const detail = notEvaluated.detail === '' ? '' : `: ${notEvaluated.detail}`;
      this.#line(1, `no policy was evaluated: ${notEvaluated.reason}${detail}`);
    }
    for (const { policy, fieldPaths } of changes) this.#line(1, `${policy} changes ${fieldPaths.join(', ')}`);
    this.#lines.push('');
    this.#isClose = policies.length === 1;
    const applied = policies.filter(({ result }) => result !== 'stops');
    for (const policy of applied) this.#policy(policy);
    const idle = policies.filter(({ result }) => result === 'stops');
    // If one policy was requested, show all of its steps.
    if (policies.length === 1) for (const policy of idle) this.#policy(policy);
    else if (idle.length > 0) this.#idle(idle);
    if (policies.length === 0 && notEvaluated === undefined) this.#lines.push('There is no policy here.', '');
  }

  close(policy: ExplainedPolicy): void {
    this.#isClose = true;
    this.#policy(policy);
  }

  #policy({ kind, name, place, result, steps }: ExplainedPolicy): void {
    this.#step(0, { result, says: `${kind} ${name} (${at(place)})`, steps });
    this.#lines.push('');
  }

  #idle(policies: readonly ExplainedPolicy[]): void {
    this.#line(0, 'Does not apply');
    for (const { kind, name, steps } of policies) this.#line(1, `${kind} ${name}: ${stoppedBy(steps)}`);
    this.#lines.push('');
  }

  #step(depth: number, { result, says, place, value, patch = [], steps = [] }: ExplainedStep): void {
    const [first = '', ...more] = firstLines(says);
    // The name line of a policy or binding already shows the location.
    const where = place === undefined || steps.length > 0 ? '' : this.#styled('dim', `  ${at(place)}`);
    const word = this.#styled(COLOURS[result], result.padEnd(RESULT_WIDTH));
    this.#lines.push(`${'  '.repeat(depth)}${word}  ${sanitizeLine(first)}${where}`);
    for (const line of more) this.#line(depth + 1, line);
    if (value !== undefined && (result !== 'passes' || this.#isClose)) this.#value(depth + 2, value);
    for (const change of patch.slice(0, this.#isClose ? patch.length : MAX_FIELDS))
      this.#fieldChange(depth + 2, change);
    if (!this.#isClose && patch.length > MAX_FIELDS) {
      const more = patch.length - MAX_FIELDS;
      this.#line(depth + 2, `    and ${count(more, 'more field')}: \`--policy\` shows ${more === 1 ? 'it' : 'them'}`);
    }
    for (const step of steps) this.#step(depth + 1, step);
  }

  #fieldChange(depth: number, { fieldPath, before, after }: ExplainedPatchedField): void {
    const was = before === undefined ? '' : ` (was ${this.#shortened(before)})`;
    const words = after === undefined ? `removes ${fieldPath}` : `sets ${fieldPath} to ${this.#shortened(after)}`;
    this.#line(depth, `    ${words}${was}`);
  }

  #shortened(text: string): string {
    return this.#isClose || text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}…`;
  }

  #value(depth: number, { text, value, isError, parts }: ObservedValue): void {
    const given = this.#styled(isError ? 'red' : 'dim', `→ ${sanitizeLine(value)}`);
    this.#lines.push(`${'  '.repeat(depth)}    ${sanitizeLine(text)} ${given}`);
    for (const part of parts) this.#value(depth + 1, part);
  }

  #line(depth: number, text: string): void {
    this.#lines.push(`${'  '.repeat(depth)}${sanitizeLine(text)}`);
  }

  #styled(colour: Colour, words: string): string {
    return this.#color ? `\u001b[${SGR[colour]}m${words}\u001b[0m` : words;
  }

  toString(): string {
    return `${this.#lines.join('\n').trimEnd()}\n`;
  }
}

function at({ path, startLine }: Lines): string {
  return sanitizeLine(`${path}:${startLine}`);
}

/** The last step that stopped the evaluation; of several bindings, that of the last. */
function stoppedBy(steps: readonly ExplainedStep[]): string {
  const last = steps.findLast(({ result }) => result === 'stops');
  if (last === undefined) return 'not evaluated';
  return last.steps === undefined ? last.says : `${last.says}: ${stoppedBy(last.steps)}`;
}
