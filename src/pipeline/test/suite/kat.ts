// Runs tests of kat (github.com/zemanlx/kat): files in `tests/` beside policies. Their names describe the content and the expected result.
import type { ObjectChange } from '../../../engine/object/object-request.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { linesOf } from '../../../report/explanation/explanation.ts';
import type { PolicyTest, TestDifference } from '../../../report/explanation/policy-test.ts';
import { isJsonObject, type JsonObject, stringifyJson } from '../../../source/json/json.ts';
import { objectField, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import { readManifests } from '../../../source/manifest/read-manifests.ts';
import { baseName } from '../../../source/text/repository-path.ts';
import type { SourceFile } from '../../../source/text/source-file.ts';
import { bindingToEverything, type Judgement, type SuiteTester, type TestVerdict } from './suite-tester.ts';

const INPUT = /^(.+)\.(request|object|oldObject|namespaceObject|params|annotations|authorizer|gold)\.ya?ml$/;
const PARTS = ['object', 'oldObject', 'namespaceObject', 'params'] as const;

/** `my-policy.good-pod.allow.object.yaml` */
export function isKatFile(path: string): boolean {
  return /(?:^|\/)tests\/[^/]+\.(?:request|object|oldObject)\.ya?ml$/.test(path);
}

/** `tester` must read from the folder of the policies. */
export function runKat(tester: SuiteTester): readonly PolicyTest[] {
  const policies = tester.beside();
  const cases = new Map<string, Map<string, SourceFile>>();
  for (const file of tester.input.read('tests') ?? []) {
    const [, base = '', part = ''] = INPUT.exec(baseName(file.path)) ?? [];
    if (base === '') continue;
    const parts = cases.get(base) ?? new Map<string, SourceFile>();
    cases.set(base, parts.set(part, file));
  }
  return [...cases.keys()].sort().flatMap((base) => {
    const parts = cases.get(base) as ReadonlyMap<string, SourceFile>;
    const file = parts.get('request') ?? parts.get('object') ?? parts.get('oldObject');
    if (file === undefined) return [];
    const place = linesOf({ file, range: { start: 0, end: 0 } });
    return tester.test(base, place, () => new KatCase(tester, policies, base, parts).verdict());
  });
}

class KatCase {
  readonly #tester: SuiteTester;
  readonly #policies: readonly Resource[];
  readonly #base: string;
  readonly #parts: ReadonlyMap<string, SourceFile>;
  readonly #request: JsonObject;

  constructor(
    tester: SuiteTester,
    policies: readonly Resource[],
    base: string,
    parts: ReadonlyMap<string, SourceFile>,
  ) {
    this.#tester = tester;
    this.#policies = policies;
    this.#base = base;
    this.#parts = parts;
    this.#request = this.#document('request');
  }

  verdict(): TestVerdict {
    const isPolicy = ({ gvk }: Resource): boolean => /AdmissionPolicy$/.test(gvk.kind);
    const own = this.#policies.filter(isPolicy);
    const policy = own.find(({ name }) => this.#base.startsWith(`${name}.`)) ?? (own.length === 1 ? own[0] : undefined);
    if (policy === undefined)
      return [{ message: 'the file name does not start with the name of a policy beside the folder' }];
    const notRun = this.#reason();
    if (notRun !== undefined) return { notRun };
    const twice = PARTS.find((part) => this.#parts.has(part) && this.#request.has(part));
    if (twice !== undefined) return [{ message: `\`${twice}\` is both in the request and in a file of its own` }];
    const change = this.#change();
    if ('message' in change) return [change];
    const [param] = this.#objects('params');
    const bindings = this.#policies.filter(
      ({ gvk, value }) =>
        gvk.kind === `${policy.gvk.kind}Binding` &&
        textField(objectOrEmpty(value.get('spec')), 'policyName') === policy.name,
    );
    // A param of the test overrides the one that the binding names.
    const bound =
      bindings.length === 0 || param !== undefined ? this.#tester.plain(bindingToEverything(policy, param)) : bindings;
    const resources = [...this.#objects('params'), ...this.#objects('namespaceObject')];
    const user = this.#user();
    const judged = this.#tester.judge({ policies: [policy, ...bound], resources, change, ...(user && { user }) });
    if (judged.refused !== undefined) {
      return [{ message: 'the API server refuses the object itself', actual: judged.refused }];
    }
    return [...this.#judged(judged, policy), ...this.#mutated(judged, policy, change, resources)];
  }

  #reason(): string | undefined {
    if (this.#parts.has('authorizer')) return 'answers of an authorizer are not supported; use RBAC objects';
    if (this.#parts.has('annotations')) return 'audit annotations are not compared';
    if (textField(this.#request, 'operation') === 'CONNECT') return 'CONNECT is no request for an object';
    if (textField(this.#request, 'subResource') !== '') return 'requests for subresources are not supported';
    return this.#request.has('options') ? 'request options are not supported' : undefined;
  }

  #judged({ failures, denied, warned, undecided, why }: Judgement, { name }: Resource): readonly TestDifference[] {
    const unsure = undecided.map(({ message }) => ({ message: 'undecided', actual: message, ...why(name) }));
    if (unsure.length > 0) return unsure;
    const messages = denied.map(({ message }) => message);
    if (/\.deny(?:\.|$)/.test(this.#base)) {
      const expected = this.#text('message.txt');
      if (denied.length === 0) return [{ message: 'not denied', ...(expected && { expected }), ...why(name) }];
      if (expected === undefined || messages.includes(expected)) return [];
      return [{ message: 'denied with an unexpected message', expected, actual: messages.join('\n'), ...why(name) }];
    }
    if (denied.length > 0) return [{ message: 'denied unexpectedly', actual: messages.join('\n'), ...why(name) }];
    const expected = this.#text('warnings.txt');
    const actual = warned.map(({ message }) => message).join('\n');
    if (expected !== undefined && expected !== actual) {
      return [{ message: 'warned with an unexpected message', expected, actual, ...why(name) }];
    }
    // Without a denial, a failure passes only if the file name says `warn` or `audit`.
    const isNamed = /\.(?:warn|audit)(?:\.|$)/.test(this.#base);
    return isNamed || failures.length === 0
      ? []
      : failures.map(({ message }) => ({ message: 'fails unexpectedly', actual: message, ...why(name) }));
  }

  #mutated(
    judged: Judgement,
    policy: Resource,
    change: ObjectChange,
    resources: readonly Resource[],
  ): readonly TestDifference[] {
    if (!policy.gvk.kind.startsWith('Mutating') || change.operation === 'DELETE') return [];
    const [gold] = this.#objects('gold');
    // The expected object also needs the server's defaults.
    const resource = gold ?? change.resource;
    const expected = textOf(
      this.#tester.judge({ policies: [], resources, change: { operation: 'CREATE', resource } }).object,
    );
    const actual = textOf(judged.object);
    if (expected === actual) return [];
    const message =
      gold === undefined
        ? 'the object is mutated, but no file contains the expected object'
        : 'the mutated object differs';
    return [{ message, expected, actual, ...judged.why(policy.name) }];
  }

  #change(): ObjectChange | { readonly message: string } {
    const [[resource], [old]] = [this.#placed('object'), this.#placed('oldObject')];
    if (resource === undefined) {
      return old === undefined ? { message: 'the test has no object' } : { operation: 'DELETE', resource: old };
    }
    return old === undefined ? { operation: 'CREATE', resource } : { operation: 'UPDATE', resource, old };
  }

  #user() {
    const info = objectField(this.#request, 'userInfo');
    return info && { username: textField(info, 'username'), groups: textItems(info.get('groups')) };
  }

  #objects(part: string): readonly Resource[] {
    const file = this.#parts.get(part);
    const inline = objectField(this.#request, part);
    if (file !== undefined) return this.#tester.objects([`tests/${baseName(file.path)}`]).found;
    return inline === undefined ? [] : this.#tester.inline(inline);
  }

  /** In the namespace of the request or of the given Namespace object. */
  #placed(part: string): readonly Resource[] {
    const given = textField(this.#request, 'namespace') || (this.#objects('namespaceObject')[0]?.name ?? '');
    return this.#objects(part).flatMap((resource) => {
      if (given === '' || resource.namespace !== '') return [resource];
      const metadata = new Map(objectOrEmpty(resource.value.get('metadata'))).set('namespace', given);
      return this.#tester.inline(new Map(resource.value).set('metadata', metadata));
    });
  }

  #document(part: string): JsonObject {
    const file = this.#parts.get(part);
    return objectOrEmpty(file && readManifests(file).manifests[0]?.value);
  }

  #text(suffix: string): string | undefined {
    return this.#tester.input.read(`tests/${this.#base}.${suffix}`)?.[0]?.text.trim();
  }
}

function textOf(value: JsonObject | null): string {
  return value !== null && isJsonObject(value) ? stringifyJson(value, { sortKeys: true, escapeHtml: false }) : 'null';
}
