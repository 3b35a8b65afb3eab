// What is said of rules beside their verdict: which objects they would make, patch or delete elsewhere, and which requests nobody asks them about.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { AdmissionRequest } from '../../kubernetes/admission-request.ts';
import type { FieldPath } from '../../source/field-path.ts';
import type { JsonObject } from '../../source/json.ts';
import { stringifyJson } from '../../source/json.ts';
import { objectOrEmpty, textField } from '../../source/json-field.ts';
import type { PolicyIdentity } from '../policy.ts';

/** Of very many objects the first are named. */
const MAX_NAMED = 3;

interface Told {
  readonly policy: PolicyIdentity;
  readonly rule: FieldPath;
  /** `would generate`. */
  readonly deed: string;
  readonly subjects: Set<string>;
  readonly triggers: Set<string>;
}

interface Deletion {
  readonly policy: PolicyIdentity;
  readonly schedule: string;
  /** On what it rests; undefined where it is certain. */
  readonly open: string | undefined;
  readonly objects: Set<string>;
}

interface Unseen {
  readonly kind: string;
  readonly reason: string;
  readonly policies: Set<PolicyIdentity>;
  readonly objects: Set<string>;
}

/** Gathered while requests are evaluated; one notice for each rule and deed, and for each reason and kind. */
export class Consequences {
  readonly #told = new Map<string, Told>();
  readonly #deletions = new Map<string, Deletion>();
  readonly #unseen = new Map<string, Unseen>();

  /** `subjects`: labels of what the rule at `rule` does something to because of the request. */
  add(
    policy: PolicyIdentity,
    rule: FieldPath,
    deed: string,
    subjects: readonly string[],
    request: AdmissionRequest,
  ): void {
    if (subjects.length === 0) return;
    const key = stringifyJson([policy.kind, policy.resource.namespace, policy.name, deed, ...rule.map(String)], PLAIN);
    let told = this.#told.get(key);
    if (told === undefined) {
      told = { policy, rule, deed, subjects: new Set(), triggers: new Set() };
      this.#told.set(key, told);
    }
    for (const subject of subjects) told.subjects.add(subject);
    told.triggers.add(requestLabel(request));
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
      unseen = { kind, reason, policies: new Set(), objects: new Set() };
      this.#unseen.set(key, unseen);
    }
    for (const policy of policies) unseen.policies.add(policy);
    unseen.objects.add(requestLabel(request));
  }

  diagnostics(): readonly Diagnostic[] {
    const told = [...this.#told.values()].map(({ policy, rule, deed, subjects, triggers }): Diagnostic => {
      const objects = triggers.size === 1 ? [...triggers][0] : `${triggers.size} objects`;
      return {
        code: 'background-rule',
        severity: 'notice',
        message: `because of ${objects} Kyverno ${deed} ${listed([...subjects])}`,
        primary: policy.resource.locate(rule, 'key'),
        related: [],
      };
    });
    const deletions = [...this.#deletions.values()].map(({ policy, schedule, open, objects }): Diagnostic => {
      const { resource } = policy;
      const deed = `Kyverno would delete ${listed([...objects])} at \`${schedule}\``;
      const field = objectOrEmpty(resource.value.get('spec')).has('conditions') ? 'conditions' : 'schedule';
      return {
        code: 'background-rule',
        severity: 'notice',
        message: open === undefined ? deed : `whether ${deed} depends on ${open}`,
        primary: resource.locate(['spec', field], 'key'),
        related: [],
      };
    });
    const unseen = [...this.#unseen.values()].map(({ kind, reason, policies, objects }): Diagnostic => {
      const named = listed([...policies].map(({ name }) => `\`${name}\``));
      const [first] = policies;
      return {
        code: 'unseen-object',
        severity: 'notice',
        message: `Kyverno does not see ${objects.size} ${kind} that ${named} would be asked about: ${reason}`,
        ...(first && { primary: first.resource.locate(['metadata', 'name'], 'value') }),
        related: [],
      };
    });
    return [...told, ...deletions, ...unseen];
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
