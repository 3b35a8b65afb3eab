// The playground's input: texts and request settings. It is sent to the worker and stored in the URL fragment.

export interface RequestState {
  readonly policies: string;
  readonly object: string;
  readonly oldObject: string;
  /** Params, Namespaces and other objects of the cluster. */
  readonly resources: string;
  readonly kubernetesVersion: string;
  readonly operation: Operation;
  /** Empty: the default user. */
  readonly username: string;
  /** Separated by commas. */
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

/** Validates a state from a URL. Fields that are not texts become empty. */
export function readState(value: unknown): RequestState {
  const given: Readonly<Record<string, unknown>> = typeof value === 'object' && value !== null ? { ...value } : {};
  const fields = Object.entries(EMPTY_STATE).map(([name, text]) => [
    name,
    typeof given[name] === 'string' ? given[name] : text,
  ]);
  const state = Object.fromEntries(fields) as unknown as RequestState;
  return OPERATIONS.includes(state.operation) ? state : { ...state, operation: 'CREATE' };
}

/** Splits at commas and drops empty parts. */
export function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** `a=b, c` as labels; a key without `=` has an empty value. */
export function labelsOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    listed(text).map((each) => {
      const at = each.indexOf('=');
      return at < 0 ? [each, ''] : [each.slice(0, at).trim(), each.slice(at + 1).trim()];
    }),
  );
}
