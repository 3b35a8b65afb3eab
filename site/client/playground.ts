// The playground: editors on one side, the answer on the other. No data leaves the browser.
import { type Reply, TEXT_NAMES, type TextName } from './answer.ts';
import { byId, make } from './elements.ts';
import { Judge, workerUrls } from './judge.ts';
import { EMPTY_STATE, type Example, OPERATIONS, type RequestState } from './request-state.ts';
import { resultView } from './result-view.ts';
import { packState, unpackState } from './share.ts';
import { TextEditor } from './text-editor.ts';
import { isRendered } from './written-files.ts';

/** Defined by the build, from `examples/` and `policies/`. */
declare const EXAMPLES: readonly Example[];
declare const VERSIONS: readonly string[];
/** Compressed size of the rendering module. */
declare const ENGINE_BYTES: number;
/** Compressed size of the validation module. */
declare const VALIDATION_BYTES: number;

const DOING = {
  loading: `Loading the renderer, ${Math.ceil(ENGINE_BYTES / 1e6)} MB …`,
  rendering: 'Rendering …',
  'loading-validation': `Loading the server's validation, ${Math.ceil(VALIDATION_BYTES / 1e6)} MB …`,
} as const;

const LABELS: Readonly<Record<TextName, string>> = {
  object: 'Object of the request, in YAML',
  oldObject: 'Object before the update, in YAML',
  policies: 'Policies and bindings, in YAML',
  resources: 'Params, Namespaces and other objects of the cluster, in YAML',
};

const FIELDS = ['kubernetesVersion', 'operation', 'username', 'groups', 'namespaceLabels'] as const;

const heading = byId('verdict', HTMLElement);
const results = byId('results', HTMLElement);
const note = byId('note', HTMLElement);
const examples = byId('example', HTMLSelectElement);
const inputs = new Map(FIELDS.map((name) => [name, controlOf(name)]));
const editors = new Map(
  TEXT_NAMES.map((name) => [name, new TextEditor(byId(`${name}-editor`, HTMLElement), LABELS[name], changed)]),
);
const urls = workerUrls();
const judge = new Judge('worker.js', urls, tell);
const builder = new Judge('rendering-worker.js', urls, tell);
let timer: ReturnType<typeof setTimeout> | undefined;

function controlOf(name: (typeof FIELDS)[number]): HTMLInputElement | HTMLSelectElement {
  const element = document.getElementById(name);
  if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement) return element;
  throw new Error(`the page has no field ${name}`);
}

function stateNow(): RequestState {
  const texts = [...editors].map(([name, editor]) => [name, editor.text]);
  const fields = [...inputs].map(([name, { value }]) => [name, value]);
  return { ...EMPTY_STATE, ...Object.fromEntries([...texts, ...fields]) };
}

function show(state: RequestState): void {
  for (const [name, editor] of editors) editor.setText(state[name]);
  for (const [name, input] of inputs) input.value = state[name];
  if (inputs.get('kubernetesVersion')?.value === '')
    (inputs.get('kubernetesVersion') as HTMLSelectElement).value = EMPTY_STATE.kubernetesVersion;
  byId('cluster-box', HTMLDetailsElement).open = state.resources.length > 0;
  byId('request-box', HTMLDetailsElement).open = state.username + state.groups + state.namespaceLabels !== '';
  ask();
}

/** Waits for a pause in typing. */
function changed(): void {
  clearTimeout(timer);
  timer = setTimeout(ask, 150);
  if (location.hash !== '') history.replaceState(undefined, '', location.pathname + location.search);
}

function ask(): void {
  clearTimeout(timer);
  byId('old-box', HTMLElement).hidden = inputs.get('operation')?.value !== 'UPDATE';
  results.setAttribute('aria-busy', 'true');
  const state = stateNow();
  const [asked, other] = isRendered(state.object) ? [builder, judge] : [judge, builder];
  other.leave();
  const mistake = asked === builder ? whyNotBuilt(state) : undefined;
  if (mistake === undefined) asked.ask(state);
  else {
    asked.leave();
    tell({ id: 0, mistake });
  }
}

/** Why the kustomization cannot be built here; undefined if it can. */
function whyNotBuilt({ operation, namespaceLabels }: RequestState): string | undefined {
  if (typeof WebAssembly === 'undefined' || typeof DecompressionStream === 'undefined')
    return 'This browser lacks WebAssembly or gzip decompression, so it cannot render';
  if (operation !== 'CREATE') return 'Objects of a kustomization are evaluated as CREATE requests: choose CREATE';
  if (namespaceLabels !== '')
    return 'Namespace labels for a kustomization come from the objects of the cluster: clear the labels field';
  return undefined;
}

function tell(reply: Reply): void {
  if ('doing' in reply) {
    heading.textContent = DOING[reply.doing];
    heading.className = 'undecided';
    return;
  }
  results.setAttribute('aria-busy', 'false');
  const told = 'answer' in reply ? reply.answer.told : [];
  for (const [name, editor] of editors) editor.show(told.filter(({ text }) => text === name));
  if ('mistake' in reply) {
    heading.textContent = reply.mistake;
    heading.className = 'undecided';
    results.replaceChildren();
    return;
  }
  heading.textContent = reply.answer.heading;
  heading.className = reply.answer.verdict;
  results.replaceChildren(
    resultView(reply.answer, (text, line, column) => {
      if (text === 'resources') byId('cluster-box', HTMLDetailsElement).open = true;
      editors.get(text)?.goTo(line, column);
    }),
  );
}

async function share(): Promise<void> {
  history.replaceState(undefined, '', await packState(stateNow()));
  const link = byId('link', HTMLInputElement);
  link.value = location.href;
  byId('link-box', HTMLElement).hidden = false;
  try {
    await navigator.clipboard.writeText(location.href);
    note.textContent = 'Copied. The link contains all texts; no data was sent.';
  } catch {
    link.focus();
    link.select();
    note.textContent = 'The link contains all texts; no data was sent.';
  }
}

async function openAddress(): Promise<boolean> {
  try {
    const state = await unpackState(location.hash);
    if (state !== undefined) show(state);
    return state !== undefined;
  } catch {
    note.textContent = 'The link is damaged. An example is shown instead.';
    return false;
  }
}

for (const [index, { title }] of EXAMPLES.entries()) examples.append(make('option', { value: String(index) }, title));
for (const version of VERSIONS) inputs.get('kubernetesVersion')?.append(make('option', { value: version }, version));
for (const operation of OPERATIONS) inputs.get('operation')?.append(make('option', { value: operation }, operation));
examples.addEventListener('change', () => {
  const example = EXAMPLES[Number(examples.value)];
  if (example !== undefined) show(example.state);
});
for (const input of inputs.values()) input.addEventListener('input', changed);
inputs.get('operation')?.addEventListener('input', ask);
byId('share', HTMLButtonElement).addEventListener('click', () => void share());
byId('cluster-box', HTMLDetailsElement).addEventListener('toggle', () => editors.get('resources')?.measure());
addEventListener('hashchange', () => void openAddress());
if (!(await openAddress())) show(EXAMPLES[0]?.state ?? EMPTY_STATE);
