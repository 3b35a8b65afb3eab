// What a CEL policy of Kyverno's said of one object, and what it is asked with.
import type { Read } from '../../../cel/value/trace.ts';
import type { Value } from '../../../cel/value/value.ts';
import { type AdmissionRequest, requestVariable } from '../../../kubernetes/request/admission-request.ts';
import type { Labels } from '../../../kubernetes/selector/label-selector.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { PolicyData } from './policy-activation.ts';
import type { CelSources } from './sources.ts';

export type CelRuleType = 'Validation' | 'Mutation' | 'Generation' | 'Deletion' | 'ImageVerify';

export interface CelResponse {
  /** Mostly empty; `exception`, `evaluation`, `match`, or the policy's name where it generates or deletes. */
  readonly rule: string;
  readonly type: CelRuleType;
  readonly status: 'pass' | 'fail' | 'error' | 'skip';
  readonly message: string;
  /** `namespace/name` of the exceptions that made the policy skip. */
  readonly exceptions?: readonly string[];
  /** The expression that decided, in the policy as it is written. */
  readonly path?: FieldPath;
  /** Fields of the object that decided, best first. */
  readonly explain?: () => readonly Read[];
}

/** What a policy is asked. */
export interface CelPolicySubject {
  readonly request: AdmissionRequest;
  /** Null where it is not known or the request has none. */
  readonly namespaceObject: JsonObject | null;
  /** Of the request's Namespace, `kubernetes.io/metadata.name` included. */
  readonly namespaceLabels: Labels;
  /** No file defines the Namespace: it may have other labels. */
  readonly isNamespaceAssumed?: boolean;
  readonly sources: CelSources;
}

const NOTHING: JsonObject = new Map();

/** A subject that many policies are asked about: what they share is made once. Copies of it make their own. */
export class SharedSubject implements CelPolicySubject {
  readonly request: AdmissionRequest;
  readonly namespaceObject: JsonObject | null;
  readonly namespaceLabels: Labels;
  readonly isNamespaceAssumed: boolean;
  readonly sources: CelSources;
  #data: PolicyData | undefined;

  constructor(subject: CelPolicySubject) {
    this.request = subject.request;
    this.namespaceObject = subject.namespaceObject;
    this.namespaceLabels = subject.namespaceLabels;
    this.isNamespaceAssumed = subject.isNamespaceAssumed === true;
    this.sources = subject.sources;
  }

  get data(): PolicyData {
    this.#data ??= dataOf(this);
    return this.#data;
  }
}

/** An object that is not there is an empty one to Kyverno. */
export function responseData(subject: CelPolicySubject): PolicyData {
  return subject instanceof SharedSubject ? subject.data : dataOf(subject);
}

function dataOf({ request, namespaceObject }: CelPolicySubject): PolicyData {
  const object = request.object ?? NOTHING;
  const oldObject = request.oldObject ?? NOTHING;
  const variable = new Map(requestVariable(request, request.kind, request.resource));
  variable.set('object', request.object);
  variable.set('oldObject', request.oldObject);
  return new Map<string, Value>([
    ['object', object],
    ['oldObject', oldObject],
    ['request', variable],
    ['namespaceObject', namespaceObject],
  ]);
}
