// Notices about effects outside the verdict: objects that rules would generate, patch or delete, and requests that Kyverno does not see.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { stringifyJson } from '../../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { PolicyIdentity } from '../../language/policy.ts';
import { NoteBook } from '../../language/policy-notes.ts';

/** Further objects are only counted. */
const MAX_NAMED = 3;

interface Told {
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

/** The effects of one request. Policies are indices into the loaded ones. */
type ConsequenceNote =
  | readonly ['deed', policy: number, rule: FieldPath, deed: string, subjects: readonly string[], trigger: string]
  | readonly ['deletion', policy: number, schedule: string, object: string, open: string | undefined]
  | readonly ['unseen', kind: string, reason: string, policies: readonly number[], object: string];

/**
 * Collected during evaluation. Creates one notice per object. Notices with the same rule and effect, or the same reason
 * and kind, share a cause.
 */
export class Consequences {
  readonly notes = new NoteBook<ConsequenceNote>((note) => this.#learn(note));
  readonly #told = new Map<string, Told>();
  readonly #deletions = new Map<string, Deletion>();
  readonly #unseen = new Map<string, Unseen>();
  readonly #loaded: () => readonly PolicyIdentity[];
  #identities: readonly PolicyIdentity[] | undefined;
  #numbers: ReadonlyMap<PolicyIdentity, number> | undefined;

  /** `loaded` returns the policies that notices refer to. Called when the first note is taken. */
  constructor(loaded: () => readonly PolicyIdentity[]) {
    this.#loaded = loaded;
  }

  /** `subjects`: labels of the objects that the rule at `rule` affects because of the request. */
  add(
    policy: PolicyIdentity,
    rule: FieldPath,
    deed: string,
    subjects: readonly string[],
    request: AdmissionRequest,
  ): void {
    if (subjects.length === 0) return;
    this.notes.note(['deed', this.#numberOf(policy), rule, deed, subjects, requestLabel(request)]);
  }

  /** `schedule` as written in the policy. `open` names the open condition, if any. */
  addDeletion(policy: PolicyIdentity, schedule: string, object: JsonObject, open: string | undefined): void {
    this.notes.note(['deletion', this.#numberOf(policy), schedule, objectLabel(object), open]);
  }

  /** `policies`: those that would be evaluated. `reason` completes the sentence. */
  addUnseen(request: AdmissionRequest, reason: string, policies: readonly PolicyIdentity[]): void {
    const numbers = policies.map((policy) => this.#numberOf(policy));
    this.notes.note(['unseen', request.kind.kind, reason, numbers, requestLabel(request)]);
  }

  #numberOf(policy: PolicyIdentity): number {
    this.#numbers ??= new Map(this.#known.map((identity, number) => [identity, number]));
    return this.#numbers.get(policy) ?? -1;
  }

  get #known(): readonly PolicyIdentity[] {
    this.#identities ??= this.#loaded();
    return this.#identities;
  }

  #learn(note: ConsequenceNote): void {
    if (note[0] === 'unseen') {
      const [, kind, reason, numbers, object] = note;
      this.#learnUnseen(
        kind,
        reason,
        numbers.flatMap((number) => this.#known[number] ?? []),
        object,
      );
      return;
    }
    const policy = this.#known[note[1]];
    if (policy === undefined) return;
    if (note[0] === 'deed') this.#learnDeed(policy, note[2], note[3], note[4], note[5]);
    else this.#learnDeletion(policy, note[2], note[3], note[4]);
  }

  #learnDeed(
    policy: PolicyIdentity,
    rule: FieldPath,
    deed: string,
    subjects: readonly string[],
    trigger: string,
  ): void {
    const key = stringifyJson([policy.kind, policy.resource.namespace, policy.name, deed, ...rule.map(String)], PLAIN);
    let told = this.#told.get(key);
    if (told === undefined) {
      told = { policy, rule, deed, subjectsOf: new Map() };
      this.#told.set(key, told);
    }
    told.subjectsOf.set(trigger, new Set([...(told.subjectsOf.get(trigger) ?? []), ...subjects]));
  }

  #learnDeletion(policy: PolicyIdentity, schedule: string, object: string, open: string | undefined): void {
    const key = stringifyJson([policy.kind, policy.resource.namespace, policy.name, open ?? null], PLAIN);
    let deletion = this.#deletions.get(key);
    if (deletion === undefined) {
      deletion = { policy, schedule, open, objects: new Set() };
      this.#deletions.set(key, deletion);
    }
    deletion.objects.add(object);
  }

  #learnUnseen(kind: string, reason: string, policies: readonly PolicyIdentity[], object: string): void {
    const key = `${kind}\0${reason}`;
    let unseen = this.#unseen.get(key);
    if (unseen === undefined) {
      unseen = { reason, policiesOf: new Map() };
      this.#unseen.set(key, unseen);
    }
    unseen.policiesOf.set(object, new Set([...(unseen.policiesOf.get(object) ?? []), ...policies]));
  }

  diagnostics(): readonly Diagnostic[] {
    const told = [...this.#told].flatMap(([cause, { policy, rule, deed, subjectsOf }]) => {
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
