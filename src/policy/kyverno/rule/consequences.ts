// Notices about effects outside the verdict: objects that rules would generate, patch or delete, and requests that Kyverno does not see.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { stringifyJson } from '../../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { PolicyIdentity } from '../../language/policy.ts';

/** Further objects are only counted. */
const MAX_NAMED = 3;

interface Reported {
  readonly policy: PolicyIdentity;
  readonly rule: FieldPath;
  /** E.g. `would generate`. */
  readonly deed: string;
  /** By the object that causes the effect. */
  readonly subjectsOf: Map<string, Set<string>>;
}

interface Deletion {
  readonly policy: PolicyIdentity;
  readonly schedule: string;
  /** The open condition. Undefined if the deletion is certain. */
  readonly open: string | undefined;
  readonly objects: Set<string>;
}

interface Unseen {
  readonly reason: string;
  /** By object. */
  readonly policiesOf: Map<string, Set<PolicyIdentity>>;
}

/**
 * Collected during evaluation. Creates one notice per object. Notices with the same rule and effect, or the same reason
 * and kind, share a cause.
 */
export class Consequences {
  readonly #reported = new Map<string, Reported>();
  readonly #deletions = new Map<string, Deletion>();
  readonly #unseen = new Map<string, Unseen>();

  /** `subjects`: labels of the objects that the rule at `rule` affects because of the request. */
  add(
    policy: PolicyIdentity,
    rule: FieldPath,
    deed: string,
    subjects: readonly string[],
    request: AdmissionRequest,
  ): void {
    if (subjects.length === 0) return;
    const key = stringifyJson([policy.kind, policy.resource.namespace, policy.name, deed, ...rule.map(String)], PLAIN);
    let reported = this.#reported.get(key);
    if (reported === undefined) {
      reported = { policy, rule, deed, subjectsOf: new Map() };
      this.#reported.set(key, reported);
    }
    const trigger = requestLabel(request);
    reported.subjectsOf.set(trigger, new Set([...(reported.subjectsOf.get(trigger) ?? []), ...subjects]));
  }

  /** `schedule` is the policy's own; `open` says what decides where that is not known. */
  addDeletion(policy: PolicyIdentity, schedule: string, object: JsonObject, open: string | undefined): void {
    const key = stringifyJson([policy.kind, policy.resource.namespace, policy.name, open ?? null], PLAIN);
    let deletion = this.#deletions.get(key);
    if (deletion === undefined) {
      deletion = { policy, schedule, open, objects: new Set() };
      this.#deletions.set(key, deletion);
    }
    deletion.objects.add(objectLabel(object));
  }

  /** `policies` would have been asked; `reason` completes a sentence about objects of a kind. */
  addUnseen(request: AdmissionRequest, reason: string, policies: readonly PolicyIdentity[]): void {
    const { kind } = request.kind;
    const key = `${kind}\0${reason}`;
    let unseen = this.#unseen.get(key);
    if (unseen === undefined) {
      unseen = { reason, policiesOf: new Map() };
      this.#unseen.set(key, unseen);
    }
    const object = requestLabel(request);
    unseen.policiesOf.set(object, new Set([...(unseen.policiesOf.get(object) ?? []), ...policies]));
  }

  diagnostics(): readonly Diagnostic[] {
    const reported = [...this.#reported].flatMap(([cause, { policy, rule, deed, subjectsOf }]) => {
      const primary = policy.resource.locate(rule, 'key');
      return Array.from(subjectsOf, ([trigger, subjects]): Diagnostic => {
        const message = `Kyverno ${deed} ${listed([...subjects])} because of ${trigger}`;
        return { code: 'background-rule', severity: 'notice', message, primary, related: [], cause };
      });
    });
    const deletions = [...this.#deletions].flatMap(([cause, { policy, schedule, open, objects }]) => {
      const { resource } = policy;
      const field = objectOrEmpty(resource.value.get('spec')).has('conditions') ? 'conditions' : 'schedule';
      const primary = resource.locate(['spec', field], 'key');
      return Array.from(objects, (object): Diagnostic => {
        const deed = `Kyverno would delete ${object} at \`${schedule}\``;
        const message = open === undefined ? deed : `whether ${deed} depends on ${open}`;
        return { code: 'background-rule', severity: 'notice', message, primary, related: [], cause };
      });
    });
    const unseen = [...this.#unseen].flatMap(([cause, { reason, policiesOf }]) =>
      Array.from(policiesOf, ([object, policies]): Diagnostic => {
        const named = listed([...policies].map(({ name }) => `\`${name}\``));
        const [first] = policies;
        return {
          code: 'unseen-object',
          severity: 'notice',
          message: `Kyverno does not see ${object}, which ${named} would match: ${reason}`,
          ...(first && { primary: first.resource.locate(['metadata', 'name'], 'value') }),
          related: [],
          cause,
        };
      }),
    );
    return [...reported, ...deletions, ...unseen];
  }
}

const PLAIN = { sortKeys: false, escapeHtml: false } as const;

function listed(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  const rest = distinct.length - MAX_NAMED;
  return rest > 0 ? `${distinct.slice(0, MAX_NAMED).join(', ')} and ${rest} more` : distinct.join(', ');
}

function requestLabel({ kind, namespace, name }: AdmissionRequest): string {
  const isNamespace = kind.group === '' && kind.kind === 'Namespace';
  return `${kind.kind} ${namespace === '' || isNamespace ? name : `${namespace}/${name}`}`;
}

export function objectLabel(object: JsonObject): string {
  const metadata = objectOrEmpty(object.get('metadata'));
  const [namespace, name] = [textField(metadata, 'namespace'), textField(metadata, 'name')];
  return `${textField(object, 'kind')} ${namespace === '' ? name : `${namespace}/${name}`}`;
}
