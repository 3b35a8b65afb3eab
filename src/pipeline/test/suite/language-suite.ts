// Runs suites of a policy language's own tool. Evaluates the API server's own policies in them like the server does.
import type { StepResult } from '../../../policy/explanation/explanation.ts';
import type { PolicySuites, ServerAnswer, ServerQuestion } from '../../../policy/language/policy-suite.ts';
import type { PolicyTest } from '../../../report/explanation/policy-test.ts';
import type { JsonObject, JsonValue } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import type { Manifest } from '../../../source/manifest/manifest.ts';
import { readManifests } from '../../../source/manifest/read-manifests.ts';
import type { SourceFile } from '../../../source/text/source-file.ts';
import { bindingToEverything, isAddress, type SuiteTester } from './suite-tester.ts';

export function runLanguageSuite(
  tester: SuiteTester,
  manifest: Manifest,
  language: PolicySuites,
): readonly PolicyTest[] {
  const missing = new Set<string>();
  const start = tester.input.now();
  const rows = language.run(objectOrEmpty(manifest.value), {
    read: (path) => {
      const files = isAddress(path) ? undefined : tester.input.read(path);
      if (files === undefined) missing.add(path);
      return (files ?? []).flatMap(documentsOf);
    },
    seconds: BigInt(Math.floor(tester.input.seconds)),
    asHeld: (object) => asHeld(tester, object),
    askServer: (question) => askServer(tester, question),
  });
  // All rows of a suite are evaluated together, so each gets an equal part of the time.
  const time = (tester.input.now() - start) / 1000 / Math.max(rows.length, 1);
  const away = [...missing].find(isAddress);
  const [gone] = missing;
  return rows
    .filter(({ name }) => tester.input.isWanted(name))
    .map(({ name, at, problem, notRun }) => {
      const place = tester.place(manifest, at);
      const reason = notRun ?? (away && `\`${away}\` is on the network`);
      if (reason !== undefined) return { name, place, time, differences: [], notRun: reason };
      const absent = gone === undefined ? [] : [{ message: `\`${gone}\`, which the suite names, does not exist` }];
      return { name, place, time, differences: problem === undefined ? absent : [problem, ...absent] };
    });
}

/** Includes documents that are not Kubernetes objects, because a suite may test those. */
function documentsOf(file: SourceFile): readonly JsonObject[] {
  return readManifests(file).manifests.flatMap(({ value }) => {
    const object = objectOrEmpty(value);
    if (textField(object, 'kind') === 'List') return objectItems(object.get('items'));
    return object.size === 0 ? [] : [object];
  });
}

function asHeld(tester: SuiteTester, object: JsonObject): JsonObject {
  const [resource] = tester.inline(object);
  if (resource === undefined) return object;
  const change = { operation: 'CREATE', resource } as const;
  return tester.judge({ policies: [], resources: [], change }).object ?? object;
}

const STATUS: Readonly<Record<StepResult, string>> = {
  passes: 'pass',
  stops: 'skip',
  fails: 'fail',
  error: 'error',
  unknown: 'error',
};

function askServer(tester: SuiteTester, { policy, bindings, object, params, context }: ServerQuestion): ServerAnswer {
  const [own] = tester.inline(policy);
  const [resource] = tester.inline(object);
  if (own === undefined || resource === undefined)
    return { notRun: 'the API server cannot decode the policy or the object' };
  const bound = bindings.filter((each) => textField(objectOrEmpty(each.get('spec')), 'policyName') === own.name);
  const made =
    bound.length === 0 ? tester.plain(bindingToEverything(own)) : bound.flatMap((each) => tester.inline(each));
  const resources = [...params, ...namespacesOf(context)].flatMap((each) => tester.inline(each));
  const info = objectOrEmpty(objectOrEmpty(context.get('userInfo')).get('userInfo'));
  const username = textField(info, 'username');
  const user = username === '' ? undefined : { username, groups: textItems(info.get('groups')) };
  const operation = textField(context, 'operation') === 'DELETE' ? 'DELETE' : 'CREATE';
  const change = { operation, resource } as const;
  const judged = tester.judge({ policies: [own, ...made], resources, change, ...(user && { user }) });
  if (judged.refused !== undefined) return { status: 'error', message: judged.refused };
  const result = judged.resultOf(own.name) ?? 'stops';
  const refusal = result === 'stops' ? judged.refusedPolicy() : undefined;
  if (refusal !== undefined) return { status: 'error', message: `the API server rejects it: ${refusal}` };
  // The tool reports no result if the constraints do not match. This also satisfies an expected skip.
  if (result === 'stops') return undefined;
  const message = [...judged.failures, ...judged.undecided].map((failure) => failure.message).join('; ');
  return { status: STATUS[result], message, ...(judged.object !== null && { patched: judged.object }) };
}

/** Namespaces with the labels that the suite's values define. */
function namespacesOf(context: JsonObject): readonly JsonObject[] {
  const values = objectOrEmpty(context.get('values'));
  return objectItems(values.get('namespaceSelector')).map(
    (entry) =>
      new Map<string, JsonValue>([
        ['apiVersion', 'v1'],
        ['kind', 'Namespace'],
        [
          'metadata',
          new Map<string, JsonValue>([
            ['name', textField(entry, 'name')],
            ['labels', objectOrEmpty(entry.get('labels'))],
          ]),
        ],
      ]),
  );
}
