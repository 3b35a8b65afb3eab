// Authorizer checks: `authorizer.group('apps').resource('deployments').check('create').allowed()` (apiserver `pkg/cel/library/authz.go`).
import { struct, type Type } from '../../../cel/check/type.ts';
import type { Library } from '../../../cel/declaration/library.ts';
import type { NamePrice } from '../../../cel/declaration/price.ts';
import { estimatedSize } from '../../../cel/estimate/cost-model.ts';
import { exactly, scaled, sum } from '../../../cel/estimate/range.ts';
import { noSuchOverload } from '../../../cel/library/no-such-overload.ts';
import { TEXT } from '../../../cel/library/standard-prices.ts';
import { ErrorValue, OpaqueValue, type Value } from '../../../cel/value/value.ts';
import { parseFieldSelector, parseLabelSelector } from '../../selector/selector-text.ts';
import { dns1123Label, dns1123Subdomain } from '../../validation/name-format.ts';
import type {
  AccessAttributes,
  AuthorizationDecision,
  AuthorizationSource,
  AuthorizedUser,
  ResourceAttributes,
} from '../authorization-source.ts';
import { declarationsOf } from './declaration.ts';
import { actualSize, NOMINAL } from './prices.ts';

export const AUTHORIZER_TYPE: Type = struct('kubernetes.authorization.Authorizer');
export const RESOURCE_CHECK_TYPE: Type = struct('kubernetes.authorization.ResourceCheck');
const PATH_CHECK_TYPE: Type = struct('kubernetes.authorization.PathCheck');
const GROUP_CHECK_TYPE: Type = struct('kubernetes.authorization.GroupCheck');
const DECISION_TYPE: Type = struct('kubernetes.authorization.Decision');

/** Values with methods but without fields. They equal no other value, not even themselves. */
export abstract class ReceiverOnlyValue extends OpaqueValue {
  override equals(_other: Value): ErrorValue {
    return noSuchOverload();
  }
}

/** The value of the variable `authorizer`. */
export class AuthorizerValue extends ReceiverOnlyValue {
  readonly type = AUTHORIZER_TYPE;
  readonly #source: AuthorizationSource;
  readonly #user: AuthorizedUser;

  constructor(source: AuthorizationSource, user: AuthorizedUser) {
    super();
    this.#source = source;
    this.#user = user;
  }

  override get goType(): string {
    return 'library.authorizerVal';
  }

  serviceAccount(namespace: string, name: string): Value {
    if (dns1123Subdomain(name).length > 0) return new ErrorValue('Invalid service account name');
    if (dns1123Label(namespace).length > 0) return new ErrorValue('Invalid service account namespace');
    return new AuthorizerValue(this.#source, {
      username: `system:serviceaccount:${namespace}:${name}`,
      uid: '',
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
      extra: new Map(),
    });
  }

  path(path: string): Value {
    return isBlank(path) ? new ErrorValue('path must not be empty') : new PathCheckValue(this, path);
  }

  check(question: Omit<AccessAttributes, 'user'>): DecisionValue {
    return new DecisionValue(this.#source.check({ ...question, user: this.#user }));
  }
}

class PathCheckValue extends ReceiverOnlyValue {
  readonly type = PATH_CHECK_TYPE;
  readonly #authorizer: AuthorizerValue;
  readonly #path: string;

  constructor(authorizer: AuthorizerValue, path: string) {
    super();
    this.#authorizer = authorizer;
    this.#path = path;
  }

  override get goType(): string {
    return 'library.pathCheckVal';
  }

  check(verb: string): DecisionValue {
    return this.#authorizer.check({ verb, path: this.#path, resource: undefined });
  }
}

class GroupCheckValue extends ReceiverOnlyValue {
  readonly type = GROUP_CHECK_TYPE;
  readonly #authorizer: AuthorizerValue;
  readonly #group: string;

  constructor(authorizer: AuthorizerValue, group: string) {
    super();
    this.#authorizer = authorizer;
    this.#group = group;
  }

  override get goType(): string {
    return 'library.groupCheckVal';
  }

  resource(resource: string): Value {
    if (isBlank(resource)) return new ErrorValue('resource must not be empty');
    const fields = { group: this.#group, resource, subResource: '', namespace: '', name: '' };
    return new ResourceCheckValue(this.#authorizer, { ...fields, fieldSelector: '', labelSelector: '' });
  }
}

type ResourceFields = Record<keyof ResourceAttributes, string>;

/** Also the type of `authorizer.requestResource`. */
export class ResourceCheckValue extends ReceiverOnlyValue {
  readonly type = RESOURCE_CHECK_TYPE;
  readonly #authorizer: AuthorizerValue;
  readonly #fields: ResourceFields;

  constructor(authorizer: AuthorizerValue, fields: ResourceFields) {
    super();
    this.#authorizer = authorizer;
    this.#fields = fields;
  }

  override get goType(): string {
    return 'library.resourceCheckVal';
  }

  with(fields: Partial<ResourceFields>): ResourceCheckValue {
    return new ResourceCheckValue(this.#authorizer, { ...this.#fields, ...fields });
  }

  /** Invalid selectors restrict nothing. */
  check(verb: string): DecisionValue {
    const fieldSelector = parseFieldSelector(this.#fields.fieldSelector);
    const labelSelector = parseLabelSelector(this.#fields.labelSelector);
    const resource: ResourceAttributes = {
      ...this.#fields,
      fieldSelector: 'error' in fieldSelector ? [] : fieldSelector,
      labelSelector: 'error' in labelSelector ? [] : labelSelector,
    };
    return this.#authorizer.check({ verb, path: '', resource });
  }
}

class DecisionValue extends ReceiverOnlyValue {
  readonly type = DECISION_TYPE;
  readonly decision: AuthorizationDecision;

  constructor(decision: AuthorizationDecision) {
    super();
    this.decision = decision;
  }

  override get goType(): string {
    return 'library.decisionVal';
  }
}

/** True if Go `strings.TrimSpace` returns an empty string. */
function isBlank(text: string): boolean {
  return /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/.test(text);
}

const RESOURCE_CHECK = RESOURCE_CHECK_TYPE.name;

/** The price allows at most two checks per expression. */
const ACCESS_CHECK: NamePrice = { run: () => 350_000, estimate: () => ({ cost: exactly(350_000) }) };

/** A list, a pass over the text, and a struct with a list for every requirement of at least two characters. */
const SELECTOR: NamePrice = {
  run: ([, selector]) => {
    if (selector === undefined) return undefined;
    const length = actualSize(selector);
    return 10 + Math.ceil(length * TEXT) + Math.ceil(length * 0.5) * 50;
  },
  estimate: ({ args: [selector, ...others] }, model) => {
    if (selector === undefined || others.length > 0) return undefined;
    const length = estimatedSize(selector, model);
    return { cost: sum(exactly(10), scaled(length, TEXT), scaled(scaled(length, 0.5), 50)) };
  },
};

export const AUTHZ_LIBRARY: Library = {
  name: 'kubernetes.authz',
  functions: declarationsOf([
    [
      'path',
      'authorizer_path',
      'kubernetes.authorization.Authorizer.path(string) -> kubernetes.authorization.PathCheck',
      NOMINAL,
      (authorizer: AuthorizerValue, path: string) => authorizer.path(path),
    ],
    [
      'group',
      'authorizer_group',
      'kubernetes.authorization.Authorizer.group(string) -> kubernetes.authorization.GroupCheck',
      NOMINAL,
      (authorizer: AuthorizerValue, group: string) => new GroupCheckValue(authorizer, group),
    ],
    [
      'serviceAccount',
      'authorizer_serviceaccount',
      'kubernetes.authorization.Authorizer.serviceAccount(string, string) -> kubernetes.authorization.Authorizer',
      NOMINAL,
      (authorizer: AuthorizerValue, namespace: string, name: string) => authorizer.serviceAccount(namespace, name),
    ],
    [
      'resource',
      'groupcheck_resource',
      `kubernetes.authorization.GroupCheck.resource(string) -> ${RESOURCE_CHECK}`,
      NOMINAL,
      (check: GroupCheckValue, resource: string) => check.resource(resource),
    ],
    [
      'subresource',
      'resourcecheck_subresource',
      `${RESOURCE_CHECK}.subresource(string) -> ${RESOURCE_CHECK}`,
      NOMINAL,
      (check: ResourceCheckValue, subResource: string) => check.with({ subResource }),
    ],
    [
      'namespace',
      'resourcecheck_namespace',
      `${RESOURCE_CHECK}.namespace(string) -> ${RESOURCE_CHECK}`,
      NOMINAL,
      (check: ResourceCheckValue, namespace: string) => check.with({ namespace }),
    ],
    [
      'name',
      'resourcecheck_name',
      `${RESOURCE_CHECK}.name(string) -> ${RESOURCE_CHECK}`,
      NOMINAL,
      (check: ResourceCheckValue, name: string) => check.with({ name }),
    ],
    [
      'check',
      'pathcheck_check',
      'kubernetes.authorization.PathCheck.check(string) -> kubernetes.authorization.Decision',
      ACCESS_CHECK,
      (check: PathCheckValue, verb: string) => check.check(verb),
    ],
    [
      'check',
      'resourcecheck_check',
      `${RESOURCE_CHECK}.check(string) -> kubernetes.authorization.Decision`,
      ACCESS_CHECK,
      (check: ResourceCheckValue, verb: string) => check.check(verb),
    ],
    [
      'errored',
      'decision_errored',
      'kubernetes.authorization.Decision.errored() -> bool',
      NOMINAL,
      ({ decision }: DecisionValue) => decision.error !== undefined,
    ],
    [
      'error',
      'decision_error',
      'kubernetes.authorization.Decision.error() -> string',
      NOMINAL,
      ({ decision }: DecisionValue) => decision.error ?? '',
    ],
    [
      'allowed',
      'decision_allowed',
      'kubernetes.authorization.Decision.allowed() -> bool',
      NOMINAL,
      ({ decision }: DecisionValue) => decision.decision === 'allow',
    ],
    [
      'reason',
      'decision_reason',
      'kubernetes.authorization.Decision.reason() -> string',
      NOMINAL,
      ({ decision }: DecisionValue) => decision.reason,
    ],
  ]),
};

export const AUTHZ_SELECTORS_LIBRARY: Library = {
  name: 'kubernetes.authzSelectors',
  functions: declarationsOf([
    [
      'fieldSelector',
      'authorizer_fieldselector',
      `${RESOURCE_CHECK}.fieldSelector(string) -> ${RESOURCE_CHECK}`,
      SELECTOR,
      (check: ResourceCheckValue, fieldSelector: string) => check.with({ fieldSelector }),
    ],
    [
      'labelSelector',
      'authorizer_labelselector',
      `${RESOURCE_CHECK}.labelSelector(string) -> ${RESOURCE_CHECK}`,
      SELECTOR,
      (check: ResourceCheckValue, labelSelector: string) => check.with({ labelSelector }),
    ],
  ]),
};
