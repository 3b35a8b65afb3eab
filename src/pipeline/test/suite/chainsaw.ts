// Runs the parts of chainsaw tests (kyverno.github.io/chainsaw) that need no cluster: applying objects one after the other.
import type { ObjectChange } from '../../../engine/object/object-request.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { PolicyTest } from '../../../report/explanation/policy-test.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import { mergePatch } from '../../../source/json/merge-patch.ts';
import type { Manifest } from '../../../source/manifest/manifest.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { failureLine, isAddress, type SuiteTester, type TestVerdict } from './suite-tester.ts';

export function isChainsawTest(document: JsonObject): boolean {
  return textField(document, 'kind') === 'Test' && textField(document, 'apiVersion').startsWith('chainsaw.kyverno.io/');
}

export function runChainsawTest(tester: SuiteTester, manifest: Manifest): readonly PolicyTest[] {
  return new ChainsawRun(tester, manifest).tests();
}

const CHANGES: readonly string[] = ['apply', 'create', 'update', 'delete'];
/** These operations change nothing that policies read. */
const HARMLESS: readonly string[] = ['assert', 'error', 'wait'];
/** These operations expect nothing either. */
const IDLE: readonly string[] = ['sleep', 'describe', 'events', 'get', 'podLogs'];
/** Chainsaw generates a namespace for each run. */
const NAMESPACE = 'chainsaw';
const POLICIES = /Policy(?:Binding|Exception)?$/;

type Bindings = ReadonlyMap<string, JsonValue>;

class ChainsawRun {
  readonly #tester: SuiteTester;
  readonly #manifest: Manifest;
  readonly #spec: JsonObject;
  /** The objects of the cluster by kind, namespace and name. */
  readonly #held = new Map<string, Resource>();
  /** Why the content of the cluster is unknown after some operation. */
  #lost: string | undefined;

  constructor(tester: SuiteTester, manifest: Manifest) {
    this.#tester = tester;
    this.#manifest = manifest;
    this.#spec = objectOrEmpty(objectOrEmpty(manifest.value).get('spec'));
  }

  tests(): readonly PolicyTest[] {
    const bindings = extended(new Map([['namespace', this.#namespace]]), this.#spec.get('bindings'));
    const [namespace] = this.#tester.plain(
      JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.#namespace } }),
    );
    if (namespace !== undefined) this.#held.set(this.#keyOf(namespace), namespace);
    return objectItems(this.#spec.get('steps')).flatMap((step, stepIndex) => {
      const ofStep = extended(bindings, step.get('bindings'));
      const name = textField(step, 'name') || `step ${stepIndex + 1}`;
      return objectItems(step.get('try')).flatMap((operation, index) => {
        const at = ['spec', 'steps', stepIndex, 'try', index];
        return this.#operation(`${this.#name}: ${name}`, operation, at, ofStep);
      });
    });
  }

  get #name(): string {
    return textField(objectOrEmpty(objectOrEmpty(this.#manifest.value).get('metadata')), 'name');
  }

  get #namespace(): string {
    return textField(this.#spec, 'namespace') || NAMESPACE;
  }

  #operation(step: string, operation: JsonObject, at: FieldPath, bindings: Bindings): readonly PolicyTest[] {
    const [verb] = [...operation.keys()].filter((key) => isJsonObject(operation.get(key) ?? null));
    const place = this.#tester.place(this.#manifest, at);
    const unrun = (name: string, notRun: string) => this.#tester.test(name, place, () => ({ notRun }));
    if (verb === undefined) return unrun(step, 'this operation is not supported');
    if (IDLE.includes(verb)) return [];
    if (!CHANGES.includes(verb)) {
      if (!HARMLESS.includes(verb)) this.#lost ??= `\`${verb}\` before it may have changed the cluster`;
      return unrun(`${step} › ${verb}`, `\`${verb}\` needs a cluster`);
    }
    const body = objectOrEmpty(operation.get(verb));
    const path = textField(body, 'file');
    const name = `${step} › ${verb}${path === '' ? '' : ` ${path}`}`;
    if (this.#lost !== undefined) return unrun(name, this.#lost);
    const given = this.#given(verb, body, path, extended(bindings, body.get('bindings')));
    if ('notRun' in given) {
      this.#lost = `an earlier operation could not run: ${given.notRun}`;
      return unrun(name, given.notRun);
    }
    if (given.objects.length === 0) {
      return this.#tester.test(name, place, () => [{ message: `\`${path}\` does not exist or contains no object` }]);
    }
    return given.objects.flatMap((resource) => {
      const label = given.objects.length === 1 ? name : `${name} ${resource.gvk.kind}/${resource.name}`;
      return this.#tester.test(label, place, () => this.#change(verb, body, resource));
    });
  }

  #given(
    verb: string,
    body: JsonObject,
    path: string,
    bindings: Bindings,
  ): { readonly objects: readonly Resource[] } | { readonly notRun: string } {
    if (isAddress(path)) return { notRun: `\`${path}\` is on the network` };
    if (verb === 'delete') {
      const reference = objectField(body, 'ref');
      if (reference === undefined) return { notRun: 'deletions from a file are not supported' };
      const metadata = new Map<string, JsonValue>([
        ['name', reference.get('name') ?? ''],
        ...(reference.has('namespace') ? [['namespace', reference.get('namespace') as JsonValue] as const] : []),
      ]);
      const named = this.#tester.inline(new Map<string, JsonValue>([...reference, ['metadata', metadata]]));
      return { objects: named.map((each) => this.#held.get(this.#keyOf(each)) ?? each) };
    }
    const inline = objectField(body, 'resource');
    const written = inline === undefined ? this.#tester.objects([path]).found : this.#tester.inline(inline);
    const objects: Resource[] = [];
    for (const resource of written) {
      const value = body.get('template') === false ? resource.value : templated(resource.value, bindings);
      if (value === undefined) return { notRun: 'it contains a JMESPath expression that only chainsaw evaluates' };
      const [placed] = this.#tester.inline(this.#inNamespace(resource, objectOrEmpty(value)));
      if (placed !== undefined) objects.push(placed);
    }
    return { objects };
  }

  /** Chainsaw creates objects without a namespace in the test's namespace. */
  #inNamespace({ gvk, namespace }: Resource, value: JsonObject): JsonObject {
    if (namespace !== '' || gvk.kind === 'Namespace' || gvk.kind === 'CustomResourceDefinition') return value;
    if (/^Cluster|AdmissionPolicy|^(?:Validating|Mutating|Generating|Deleting|ImageValidating)Policy$/.test(gvk.kind)) {
      return value;
    }
    return new Map(value).set(
      'metadata',
      new Map(objectOrEmpty(value.get('metadata'))).set('namespace', this.#namespace),
    );
  }

  #change(verb: string, body: JsonObject, written: Resource): TestVerdict {
    const key = this.#keyOf(written);
    const old = this.#held.get(key);
    const resource = verb === 'apply' && old !== undefined ? this.#merged(old, written) : written;
    if (verb === 'delete' && old === undefined) return { notRun: 'the test does not create the object' };
    if (verb === 'create' && old !== undefined) return [{ message: 'the object exists already' }];
    const expectation = expectedError(body, resource);
    if (expectation === undefined) return { notRun: 'its `expect` asks for more than whether there is an error' };
    const change: ObjectChange =
      verb === 'delete'
        ? { operation: 'DELETE', resource }
        : old === undefined
          ? { operation: 'CREATE', resource }
          : { operation: 'UPDATE', resource, old };
    const held = [...this.#held.values()];
    const policies = held.filter(({ gvk }) => POLICIES.test(gvk.kind));
    const resources = held.filter((each) => !policies.includes(each));
    const { refused, denied, undecided } = this.#tester.judge({ policies, resources, change });
    const [unsure] = undecided;
    if (unsure !== undefined && denied.length === 0) {
      this.#lost = 'an earlier operation cannot be decided without a cluster';
      return { notRun: `${unsure.policy} cannot be decided without a cluster: ${unsure.message}` };
    }
    const errors = refused === undefined ? denied.map(failureLine) : [refused];
    if (errors.length === 0 && verb === 'delete') this.#held.delete(key);
    else if (errors.length === 0) this.#held.set(key, resource);
    if (expectation.isError === errors.length > 0) return [];
    return expectation.isError
      ? [{ message: 'an error is expected, but there is none' }]
      : [{ message: 'there is an unexpected error', actual: errors.join('\n') }];
  }

  /** Chainsaw applies to an existing object by a merge patch (chainsaw `pkg/engine/operations/apply/operation.go`). */
  #merged(old: Resource, written: Resource): Resource {
    const value = mergePatch(old.value, written.value);
    return this.#tester.inline(objectOrEmpty(value))[0] ?? written;
  }

  #keyOf({ gvk, namespace, name }: Resource): string {
    return JSON.stringify([gvk.group, gvk.kind, namespace, name]);
  }
}

function extended(bindings: Bindings, written: JsonValue | undefined): Bindings {
  const result = new Map(bindings);
  for (const each of objectItems(written)) {
    const value = templated(each.get('value') ?? null, result);
    if (value === undefined) result.delete(textField(each, 'name'));
    else result.set(textField(each, 'name'), value);
  }
  return result;
}

/** Replaces bindings in parentheses by their values. Undefined if there is any other expression. */
function templated(value: JsonValue, bindings: Bindings): JsonValue | undefined {
  if (typeof value === 'string') {
    if (!/^\(.*\)$/s.test(value)) return value;
    const [, name = ''] = /^\(\s*\$(\w+)\s*\)$/.exec(value) ?? [];
    return bindings.get(name);
  }
  if (isJsonArray(value)) {
    const items = value.map((item) => templated(item, bindings));
    return items.includes(undefined) ? undefined : (items as JsonValue[]);
  }
  if (!isJsonObject(value)) return value;
  const fields = [...value].map(([key, item]) => [key, templated(item, bindings)] as const);
  return fields.some(([, item]) => item === undefined) ? undefined : new Map(fields as [string, JsonValue][]);
}

/** Undefined for checks other than `($error != null): true` and its variants. */
function expectedError(body: JsonObject, { gvk, name }: Resource): { readonly isError: boolean } | undefined {
  const meant = objectItems(body.get('expect')).filter((each) => {
    const match = objectOrEmpty(each.get('match'));
    const metadata = objectOrEmpty(match.get('metadata'));
    return (
      ![...match.keys()].some((key) => !['kind', 'apiVersion', 'metadata'].includes(key)) &&
      (!match.has('kind') || textField(match, 'kind') === gvk.kind) &&
      (!metadata.has('name') || textField(metadata, 'name') === name)
    );
  });
  let isError = false;
  for (const each of meant) {
    for (const [key, wanted] of objectOrEmpty(each.get('check'))) {
      const compared = /^\(\s*\$error\s*(!=|==)\s*null\s*\)$/.exec(key);
      if (compared === null || typeof wanted !== 'boolean') return undefined;
      isError = (compared[1] === '!=') === wanted;
    }
  }
  return { isError };
}
