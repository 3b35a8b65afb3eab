// The answer under the editors: the verdict, findings with links to their lines, and each policy's evaluation as a tree.
import type { EvaluatedObject, ExplainedPolicy, ExplainedStep } from '../../src/browser.ts';
import { type Answer, TEXT_NAMES, type TextName, type Told } from './answer.ts';
import { type Child, make } from './elements.ts';

export type GoTo = (text: TextName, line: number, column: number) => void;
type Value = NonNullable<ExplainedStep['value']>;

const TITLES: Readonly<Record<TextName, string>> = {
  policies: 'policies',
  object: 'object',
  oldObject: 'old object',
  resources: 'cluster',
};

const RESULTS = {
  fails: ['✗', 'fails', 'error'],
  error: ['!', 'error', 'error'],
  unknown: ['?', 'unknown', 'warning'],
  passes: ['✓', 'holds', 'good'],
  stops: ['–', 'does not apply', 'muted'],
} as const;

export function resultView(answer: Answer, goTo: GoTo): DocumentFragment {
  const view = document.createDocumentFragment();
  const { told, untold, objects, unknowns } = answer;
  if (told.length > 0) {
    view.append(make('ul', { class: 'told' }, ...told.map((each) => make('li', {}, toldView(each, goTo)))));
  }
  if (untold > 0) view.append(make('p', { class: 'muted' }, `and ${untold} more`));
  for (const sentence of unknowns.slice(0, 20)) view.append(make('p', { class: 'muted' }, sentence));
  for (const object of objects) view.append(objectView(object, objects.length > 1, goTo));
  return view;
}

function toldView({ severity, effect, message, detail, text, place }: Told, goTo: GoTo): HTMLElement {
  return make(
    'div',
    { class: `entry ${severity}` },
    make('p', { class: 'message' }, message),
    make('p', { class: 'muted' }, make('span', { class: 'action' }, effect), ' ', placeButton(text, place, goTo)),
    make('p', { class: 'rule' }, make('code', {}, detail)),
  );
}

function placeButton(text: TextName | undefined, place: Told['place'], goTo: GoTo): Child {
  if (text === undefined || place === undefined) return undefined;
  const button = make('button', { type: 'button', class: 'place' }, `${TITLES[text]}, line ${place.startLine}`);
  button.addEventListener('click', () => goTo(text, place.startLine, place.startColumn));
  return button;
}

function objectView(
  { resource, policies = [], notEvaluated, changes, mutated }: EvaluatedObject,
  isNamed: boolean,
  goTo: GoTo,
): HTMLElement {
  const name = `${resource.kind} ${resource.namespace === undefined ? '' : `${resource.namespace}/`}${resource.name}`;
  const title = isNamed ? `Evaluation: ${name}` : 'Evaluation';
  const box = make('section', { class: 'why', 'aria-label': title }, make('h3', {}, title));
  if (notEvaluated !== undefined) {
    box.append(make('p', {}, `No policy applies: ${notEvaluated.detail || notEvaluated.reason}`));
  }
  for (const { policy, fieldPaths } of changes.slice(0, 20)) {
    box.append(make('p', {}, `${policy} changes `, make('code', {}, fieldPaths.slice(0, 20).join(', '))));
  }
  if (mutated !== undefined) {
    const text = JSON.stringify(
      mutated,
      (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value),
      2,
    );
    box.append(
      folded(['The object after these changes'], false, () => [make('pre', { tabindex: '0' }, text.slice(0, 50_000))]),
    );
  }
  const isOpen = policies.length <= 3;
  for (const policy of policies.slice(0, 100)) box.append(policyView(policy, isOpen, goTo));
  return box;
}

function policyView({ name, kind, result, steps }: ExplainedPolicy, isOpen: boolean, goTo: GoTo): HTMLElement {
  return folded(
    [...mark(result), make('b', {}, name), make('span', { class: 'muted' }, ` ${kind}`)],
    isOpen && isTold(result),
    () => steps.map((step) => stepView(step, goTo)),
  );
}

function stepView(step: ExplainedStep, goTo: GoTo): HTMLElement {
  const { result, says, place, steps = [], value, cost } = step;
  const text = TEXT_NAMES.find((name) => place?.path === `${name}.yaml`);
  const words: Child[] = [...mark(result), `${says} `];
  const where = placeButton(text, place, goTo);
  if (steps.length === 0 && value === undefined) return make('div', { class: 'step' }, ...words, where);
  return folded(words, isTold(result), () => [
    ...(where === undefined ? [] : [make('div', { class: 'step' }, where, cost === undefined ? '' : ` cost ${cost}`)]),
    ...steps.map((each) => stepView(each, goTo)),
    ...(value === undefined ? [] : [valueView(value, isTold(result))]),
  ]);
}

function valueView({ text, value, isError, parts }: Value, isOpen: boolean): HTMLElement {
  const words = [
    make('code', {}, text),
    ' ',
    make('code', { class: isError || value === 'false' ? 'value error' : 'value' }, `→ ${value}`),
  ];
  if (parts.length === 0) return make('div', { class: 'step' }, ...words);
  return folded(words, isOpen, () => parts.map((part) => valueView(part, isOpen)));
}

/** Fills the content when the box is first opened. */
function folded(summary: readonly Child[], isOpen: boolean, inside: () => readonly HTMLElement[]): HTMLElement {
  const box = make('details', {}, make('summary', {}, ...summary));
  const fill = (): void => {
    if (box.childElementCount === 1) box.append(make('div', { class: 'inside' }, ...inside()));
  };
  if (isOpen) fill();
  box.open = isOpen;
  box.addEventListener('toggle', fill);
  return box;
}

function mark(result: ExplainedStep['result']): readonly Child[] {
  const [sign, words, colour] = RESULTS[result];
  return [
    make('span', { class: `sign ${colour}`, 'aria-hidden': 'true' }, sign),
    make('span', { class: 'unseen' }, `${words}: `),
  ];
}

function isTold(result: ExplainedStep['result']): boolean {
  return result === 'fails' || result === 'error' || result === 'unknown';
}
