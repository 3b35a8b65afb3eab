// What the playground asks about: texts and the request. It travels to the worker and in the address's fragment.

export interface RequestState {
  readonly policies: string;
  readonly object: string;
  readonly oldObject: string;
  /** Params, Namespaces and whatever else is in the cluster. */
  readonly resources: string;
  readonly kubernetesVersion: string;
  readonly operation: Operation;
  /** Empty: the one that nobody configured. */
  readonly username: string;
  /** With commas between them. */
  readonly groups: string;
  /** `team=shop, environment=production`. */
  readonly namespaceLabels: string;
}

export const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE'] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface Example {
  readonly title: string;
  readonly state: RequestState;
}

export const EMPTY_STATE: RequestState = {
  policies: '',
  object: '',
  oldObject: '',
  resources: '',
  kubernetesVersion: '1.36',
  operation: 'CREATE',
  username: '',
  groups: '',
  namespaceLabels: '',
};

/** What a stranger's address holds, made into a state: fields that are not texts are as in the empty one. */
export function readState(value: unknown): RequestState {
  const given: Readonly<Record<string, unknown>> = typeof value === 'object' && value !== null ? { ...value } : {};
  const fields = Object.entries(EMPTY_STATE).map(([name, text]) => [
    name,
    typeof given[name] === 'string' ? given[name] : text,
  ]);
  const state = Object.fromEntries(fields) as unknown as RequestState;
  return OPERATIONS.includes(state.operation) ? state : { ...state, operation: 'CREATE' };
}

/** The texts between commas, without those that are empty. */
export function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** `a=b, c` as labels; a name alone has an empty value. */
export function labelsOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    listed(text).map((each) => {
      const at = each.indexOf('=');
      return at < 0 ? [each, ''] : [each.slice(0, at).trim(), each.slice(at + 1).trim()];
    }),
  );
}
