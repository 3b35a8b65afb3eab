// Input and response of a Kyverno CEL policy for one object.
import type { Read } from '../../../cel/value/trace.ts';
import { UnknownValue, type Value } from '../../../cel/value/value.ts';
import { type AdmissionRequest, requestVariable } from '../../../kubernetes/request/admission-request.ts';
import type { Labels } from '../../../kubernetes/selector/label-selector.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { OpenNamespace } from '../matching/match-answer.ts';
import type { OpenFields } from './open-fields.ts';
import type { PolicyData } from './policy-activation.ts';
import type { CelSources } from './sources.ts';

export type CelRuleType = 'Validation' | 'Mutation' | 'Generation' | 'Deletion' | 'ImageVerify';

export interface CelResponse {
  /** Usually empty. Otherwise `exception`, `evaluation`, `match`, or the policy's name if it generates or deletes. */
  readonly rule: string;
  readonly type: CelRuleType;
  readonly status: 'pass' | 'fail' | 'error' | 'skip';
  readonly message: string;
  /** `namespace/name` of the exceptions that skipped the policy. */
  readonly exceptions?: readonly string[];
  /** Field of the deciding expression in the policy as written. */
  readonly path?: FieldPath;
  /** Fields of the object that decided, best first. */
  readonly explain?: () => readonly Read[];
}

export interface CelPolicySubject {
  readonly request: AdmissionRequest;
  /** Null if unknown, or if the request has no Namespace. */
  readonly namespaceObject: JsonObject | null;
  /** Labels of the request's Namespace, including `kubernetes.io/metadata.name`. */
  readonly namespaceLabels: Labels;
  /** Set if the Namespace may have other labels. */
  readonly openNamespace?: OpenNamespace | undefined;
  readonly sources: CelSources;
  /** Set if the request has open fields. Reading one in `request` throws `Undecided`. */
  readonly open?: OpenFields | undefined;
}

const NOTHING: JsonObject = new Map();

/** Input shared by many policies, with cached values. Copies do not share the cache. */
export class SharedSubject implements CelPolicySubject {
  readonly request: AdmissionRequest;
  readonly namespaceObject: JsonObject | null;
  readonly namespaceLabels: Labels;
  readonly openNamespace: OpenNamespace | undefined;
  readonly sources: CelSources;
  readonly open: OpenFields | undefined;
  #data: PolicyData | undefined;

  constructor(subject: CelPolicySubject) {
    this.request = subject.request;
    this.namespaceObject = subject.namespaceObject;
    this.namespaceLabels = subject.namespaceLabels;
    this.openNamespace = subject.openNamespace;
    this.sources = subject.sources;
    this.open = subject.open;
  }

  get data(): PolicyData {
    this.#data ??= dataOf(this);
    return this.#data;
  }
}

/** Kyverno treats a missing object as an empty one. Open fields are unknown values. */
export function responseData(subject: CelPolicySubject): PolicyData {
  return subject instanceof SharedSubject ? subject.data : dataOf(subject);
}

/** The values that stand in for open fields, for explanations. */
export function standInData(subject: CelPolicySubject): PolicyData {
  const { open } = subject;
  return open === undefined ? responseData(subject) : dataOf({ ...subject, request: open.request, open: undefined });
}

function dataOf({ request, namespaceObject, open }: CelPolicySubject): PolicyData {
  const values = open?.values() ?? request;
  const object = values.object ?? NOTHING;
  const oldObject = values.oldObject ?? NOTHING;
  const variable = new Map<string, Value>(requestVariable(request, request.kind, request.resource));
  variable.set('object', values.object);
  variable.set('oldObject', values.oldObject);
  if (open !== undefined && values.namespace instanceof UnknownValue) variable.set('namespace', values.namespace);
  return new Map<string, Value>([
    ['object', object],
    ['oldObject', oldObject],
    ['request', variable],
    ['namespaceObject', namespaceObject],
  ]);
}
