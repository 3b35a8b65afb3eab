// Runs tests of kubescape's policy library (`tests.json` beside `policy.yaml`): templates with changed fields, applied to a cluster.
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { PolicyTest } from '../../../report/explanation/policy-test.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectItems, textField, textItems } from '../../../source/json/json-field.ts';
import { parseJson } from '../../../source/json/parse-json.ts';
import type { Manifest } from '../../../source/manifest/manifest.ts';
import { baseName } from '../../../source/text/repository-path.ts';
import { failureLine, type SuiteTester, type TestVerdict } from './suite-tester.ts';

const TEMPLATES = '../../test-resources';
const DEFINITION = '../../configuration/policy-configuration-definition.yaml';
/** Maximum steps of a path, more than any Kubernetes object needs. */
const MAXIMUM_STEPS = 100;
const VERDICTS: readonly string[] = ['pass', 'warn', 'fail'];

/** Only beside a policy, because other tools use this file name too. */
export function isKubescapeFile(path: string, paths: ReadonlySet<string>): boolean {
  return baseName(path) === 'tests.json' && paths.has(path.replace(/tests\.json$/, 'policy.yaml'));
}

export function isKubescapeSuite(document: JsonValue): boolean {
  return (
    isJsonArray(document) &&
    document.some((test) => isJsonObject(test) && textField(test, 'template') !== '' && test.has('expected'))
  );
}

/** As the library's `run-control-tests.py` does. */
export function runKubescapeSuite(tester: SuiteTester, manifest: Manifest): readonly PolicyTest[] {
  const suite = new KubescapeSuite(tester);
  return objectItems(manifest.value).flatMap((test, index) =>
    tester.test(textField(test, 'name') || `test ${index + 1}`, tester.place(manifest, [index]), () =>
      suite.verdict(test),
    ),
  );
}

/** Thrown if a template cannot be changed as the test describes. */
class UnusableTemplate extends Error {}

class KubescapeSuite {
  readonly #tester: SuiteTester;

  constructor(tester: SuiteTester) {
    this.#tester = tester;
  }

  verdict(test: JsonObject): TestVerdict {
    try {
      return this.#judged(test);
    } catch (error) {
      if (error instanceof UnusableTemplate) return [{ message: error.message }];
      throw error;
    }
  }

  #judged(test: JsonObject): TestVerdict {
    const expected = textField(test, 'expected');
    if (!VERDICTS.includes(expected)) {
      return [{ message: '`expected` is not a known verdict', expected: VERDICTS.join(', '), actual: expected }];
    }
    const policy = this.#one('policy.yaml', ({ gvk }) => gvk.kind === 'ValidatingAdmissionPolicy');
    const params = `${policy.name}-params`;
    const binding = this.#template(textField(test, 'binding_template') || 'policy-binding.yaml', [
      `spec.policyName=${policy.name}`,
      `metadata.name=${policy.name}-binding`,
      `spec.paramRef.name=${params}`,
    ]);
    const param = this.#template(textField(test, 'param_template') || 'default-control-configuration.yaml', [
      `metadata.name=${params}`,
    ]);
    const resource = this.#template(textField(test, 'template'), textItems(test.get('field_change_list')));
    const judged = this.#tester.judge({
      policies: [policy, binding],
      resources: [this.#one(DEFINITION, () => true), param],
      change: { operation: 'CREATE', resource },
    });
    const { refused, undecided, denied, warned, failures } = judged;
    // The tool also accepts a failure only if it names the policy.
    if (refused !== undefined) return [{ message: 'the API server refuses the object itself', actual: refused }];
    const actual =
      denied.length > 0 ? 'fail' : undecided.length > 0 ? 'undecided' : warned.length > 0 ? 'warn' : 'pass';
    if (actual === expected) return [];
    const answer = [actual, ...[...failures, ...undecided].map(failureLine)].join(': ');
    return [{ message: 'unexpected verdict', expected, actual: answer, ...judged.why(policy.name) }];
  }

  /** Throws UnusableTemplate. */
  #template(name: string, changes: readonly string[]): Resource {
    const template = this.#one(`${TEMPLATES}/${name}`, () => true);
    const value = changes.reduce<JsonValue>((object, change) => {
      const [, path = '', text = ''] = /^([^=]+)=(.*)$/s.exec(change) ?? [];
      const steps = path.split('.');
      if (path === '' || steps.length > MAXIMUM_STEPS)
        throw new UnusableTemplate(`\`${change}\` is not of the form \`<field>=<value>\``);
      const parsed = parseJson(text);
      return withField(object, steps, 'value' in parsed ? parsed.value : text, change);
    }, template.value);
    const [changed] = isJsonObject(value) ? this.#tester.inline(value) : [];
    if (changed === undefined) throw new UnusableTemplate(`\`${name}\` is not an object after its fields are changed`);
    return changed;
  }

  #one(path: string, isMeant: (resource: Resource) => boolean): Resource {
    const found = this.#tester.objects([path]).found.find(isMeant);
    if (found === undefined) throw new UnusableTemplate(`\`${path}\` does not exist or contains no object`);
    return found;
  }
}

/** A step is a field or `[index]`. Creates missing steps. Throws UnusableTemplate if a value on the path has another type. */
function withField(
  value: JsonValue | undefined,
  [step, ...rest]: readonly string[],
  leaf: JsonValue,
  change: string,
): JsonValue {
  if (step === undefined) return leaf;
  const index = /^\[(\d{1,3})\]$/.exec(step)?.[1];
  const isFitting = (value ?? null) === null || (index === undefined ? isJsonObject(value) : isJsonArray(value));
  if (!isFitting)
    throw new UnusableTemplate(`\`${change}\`: \`${step}\` does not match the type of the value at this location`);
  if (index === undefined) {
    const fields = new Map(isJsonObject(value) ? value : []);
    return fields.set(step, withField(fields.get(step), rest, leaf, change));
  }
  const items = isJsonArray(value) ? [...value] : [];
  const at = Number(index);
  while (items.length <= at) items.push(null);
  items[at] = withField(items[at], rest, leaf, change);
  return items;
}
