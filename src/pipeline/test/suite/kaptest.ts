// Runs test manifests of kaptest (github.com/pfnet/kaptest): policies by name, objects by kind and name, without bindings.
import type { ObjectChange } from '../../../engine/object/object-request.ts';
import { Resource } from '../../../kubernetes/api/resource.ts';
import type { StepResult } from '../../../policy/explanation/explanation.ts';
import type { PolicyTest } from '../../../report/explanation/policy-test.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import type { Manifest } from '../../../source/manifest/manifest.ts';
import { bindingToEverything, isAddress, type Judgement, type SuiteTester, type TestVerdict } from './suite-tester.ts';

const SUITES = ['vapTestSuites', 'testSuites', 'mapTestSuites'] as const;

export function isKaptest(document: JsonObject): boolean {
  const policies = document.get('policies') ?? document.get('validatingAdmissionPolicies') ?? null;
  return isJsonArray(policies) && SUITES.some((field) => isJsonArray(document.get(field) ?? null));
}

export function runKaptest(tester: SuiteTester, manifest: Manifest): readonly PolicyTest[] {
  const document = objectOrEmpty(manifest.value);
  const paths = ['policies', 'validatingAdmissionPolicies', 'resources', 'crds'].flatMap((field) =>
    textItems(document.get(field)),
  );
  const { found, missing } = tester.objects(paths);
  const away = missing.find(isAddress);
  return SUITES.flatMap((field) =>
    objectItems(document.get(field)).flatMap((suite, suiteIndex) =>
      objectItems(suite.get('tests')).flatMap((test, index) => {
        const policy = textField(suite, 'policy');
        const place = tester.place(manifest, [field, suiteIndex, 'tests', index]);
        return tester.test(nameOf(policy, test), place, () => {
          if (away !== undefined) return { notRun: `\`${away}\` is on the network` };
          if (missing.length > 0) return [{ message: `\`${missing[0]}\` does not exist` }];
          return new KaptestCase(tester, found, test).verdict(policy, field === 'mapTestSuites');
        });
      }),
    ),
  );
}

function nameOf(policy: string, test: JsonObject): string {
  const named = objectField(test, 'object') ?? objectField(test, 'oldObject') ?? new Map();
  const steps = [textField(named, 'kind'), textField(named, 'namespace'), textField(named, 'name')];
  return `${policy}: ${steps.filter((step) => step !== '').join('/')} ${textField(test, 'expect')}`;
}

const RESULTS: Readonly<Record<StepResult, string>> = {
  passes: 'admit',
  stops: 'skip',
  fails: 'deny',
  error: 'error',
  unknown: 'undecided',
};

class KaptestCase {
  readonly #tester: SuiteTester;
  readonly #found: readonly Resource[];
  readonly #test: JsonObject;

  constructor(tester: SuiteTester, found: readonly Resource[], test: JsonObject) {
    this.#tester = tester;
    this.#found = found;
    this.#test = test;
  }

  verdict(name: string, isMutating: boolean): TestVerdict {
    const written = this.#found.find((each) => each.name === name && /AdmissionPolicy$/.test(each.gvk.kind));
    if (written === undefined) return [{ message: `there is no policy \`${name}\` in the files of the suite` }];
    const policy = unconstrained(written);
    const change = this.#change();
    if ('message' in change) return [change];
    const param = this.#param(policy);
    if (param === null) return [{ message: 'the `param` is not in the files of the suite' }];
    const binding = this.#tester.plain(bindingToEverything(policy, param));
    const user = userOf(objectField(this.#test, 'userInfo'));
    const resources = this.#found.filter(({ gvk }) => !/AdmissionPolicy(?:Binding)?$/.test(gvk.kind));
    const judged = this.#tester.judge({ policies: [policy, ...binding], resources, change, ...(user && { user }) });
    if (judged.refused !== undefined) {
      return [{ message: 'the API server refuses the object itself', actual: judged.refused }];
    }
    return isMutating ? this.#mutation(judged, name, resources, change) : this.#validation(judged, name);
  }

  #validation(judged: Judgement, policy: string): TestVerdict {
    const expected = textField(this.#test, 'expect');
    const actual = RESULTS[judged.resultOf(policy) ?? 'stops'];
    const messages = judged.failures.map(({ message }) => message);
    if (actual !== expected) {
      const answer = [actual, ...messages].join(': ');
      return [{ message: 'unexpected result', expected, actual: answer, ...judged.why(policy) }];
    }
    const message = textField(this.#test, 'deniedMessage');
    if (message === '' || messages.includes(message) || messages.join(', ') === message) return [];
    return [{ message: 'denied with an unexpected message', expected: message, actual: messages.join(', '), policy }];
  }

  #mutation(judged: Judgement, policy: string, resources: readonly Resource[], change: ObjectChange): TestVerdict {
    const expected = textField(this.#test, 'expect');
    const result = judged.resultOf(policy);
    const actual = result === 'passes' ? 'mutate' : RESULTS[result ?? 'stops'];
    if (actual !== expected) {
      return [{ message: 'unexpected result', expected, actual, ...judged.why(policy) }];
    }
    const named = objectField(this.#test, 'expectObject');
    if (expected !== 'mutate' || named === undefined) return [];
    const wanted = this.#resource(named);
    if (wanted === undefined) return [{ message: 'the `expectObject` is not in the files of the suite' }];
    const renamed =
      this.#test.get('disableNameOverwrite') === true ? wanted.value : withNameOf(wanted, change.resource);
    const [resource] = this.#tester.inline(renamed);
    if (resource === undefined) return [{ message: 'the `expectObject` is not an object' }];
    // The expected object also needs the server's defaults.
    const held = this.#tester.judge({ policies: [], resources, change: { operation: 'CREATE', resource } }).object;
    const [left, right] = [textOf(held), textOf(judged.object)];
    return left === right
      ? []
      : [{ message: 'the mutated object differs', expected: left, actual: right, ...judged.why(policy) }];
  }

  #change(): ObjectChange | { readonly message: string } {
    const [object, oldObject] = [objectField(this.#test, 'object'), objectField(this.#test, 'oldObject')];
    const resource = object && this.#resource(object);
    const old = oldObject && this.#resource(oldObject);
    if (object !== undefined && resource === undefined)
      return { message: 'the `object` is not in the files of the suite' };
    if (oldObject !== undefined && old === undefined) {
      return { message: 'the `oldObject` is not in the files of the suite' };
    }
    if (resource === undefined) {
      return old === undefined ? { message: 'the test names no object' } : { operation: 'DELETE', resource: old };
    }
    return old === undefined ? { operation: 'CREATE', resource } : { operation: 'UPDATE', resource, old };
  }

  #resource(named: JsonObject): Resource | undefined {
    const isMeant = (field: string, value: string): boolean => !named.has(field) || textField(named, field) === value;
    return this.#found.find(
      ({ gvk, name, namespace }) =>
        isMeant('group', gvk.group) &&
        isMeant('version', gvk.version) &&
        isMeant('kind', gvk.kind) &&
        isMeant('namespace', namespace) &&
        isMeant('name', name),
    );
  }

  /** Undefined: the test names no param. Null: the param does not exist. */
  #param(policy: Resource): { readonly name: string; readonly namespace: string } | null | undefined {
    const named = objectField(this.#test, 'param');
    if (named === undefined) return undefined;
    const kind = textField(objectOrEmpty(objectOrEmpty(policy.value.get('spec')).get('paramKind')), 'kind');
    return this.#resource(new Map(named).set('kind', kind)) ?? null;
  }
}

/** Kaptest evaluates every policy for every object and ignores matchConstraints. */
function unconstrained({ manifest, rootPath, gvk, value }: Resource): Resource {
  const everything = new Map(
    ['apiGroups', 'apiVersions', 'operations', 'resources'].map((field): [string, JsonValue] => [field, ['*']]),
  );
  const constraints = new Map<string, JsonValue>([['resourceRules', [everything]]]);
  const spec = new Map(objectOrEmpty(value.get('spec'))).set('matchConstraints', constraints);
  return new Resource(manifest, rootPath, gvk, new Map(value).set('spec', spec));
}

function withNameOf({ value }: Resource, { name }: Resource): JsonObject {
  return new Map(value).set('metadata', new Map(objectOrEmpty(value.get('metadata'))).set('name', name));
}

function textOf(value: JsonObject | null): string {
  return value !== null && isJsonObject(value) ? stringifyJson(value, { sortKeys: true, escapeHtml: false }) : 'null';
}

function userOf(info: JsonObject | undefined) {
  if (info === undefined) return undefined;
  const username = textField(info, 'username') || textField(info, 'user') || textField(info, 'name');
  return { username, groups: textItems(info.get('groups')) };
}
