import { describe, expect, it } from 'vitest';
import { mutatingVariants, validatingVariants } from '../../../../src/policy/kyverno/cel-policy/cel-autogen.ts';
import { isJsonObject, type JsonObject, stringifyJson } from '../../../../src/source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../../src/source/json/json-field.ts';
import { parseJson } from '../../../../src/source/json/parse-json.ts';

function specOf(fields: object, rule: object = {}): JsonObject {
  const pods = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'], ...rule };
  const parsed = parseJson(JSON.stringify({ matchConstraints: { resourceRules: [pods] }, ...fields }));
  if (!('value' in parsed) || !isJsonObject(parsed.value)) throw new Error('no object');
  return parsed.value;
}

function expressions(expression: string): readonly string[] {
  const variants = validatingVariants(specOf({ validations: [{ expression }] }));
  return variants.map(({ spec }) => textField(objectItems(spec.get('validations'))[0] as JsonObject, 'expression'));
}

describe('a ValidatingPolicy for Pods', () => {
  it('is rewritten for controllers and for CronJobs', () => {
    expect(expressions('object.spec.hostNetwork == oldObject.spec.hostNetwork')).toEqual([
      'object.spec.jobTemplate.spec.template.spec.hostNetwork == oldObject.spec.jobTemplate.spec.template.spec.hostNetwork',
      'object.spec.template.spec.hostNetwork == oldObject.spec.template.spec.hostNetwork',
    ]);
  });

  it.each([
    ['object.metadata.namespace', 'object.metadata.namespace'],
    ['object.metadata.namespaces', 'object.spec.template.metadata.namespaces'],
    ['object.metadata.name', 'object.spec.template.metadata.name'],
    ['request.object.spec.x', 'request.object.spec.template.spec.x'],
    ['object.?spec.x', 'object.?spec.x'],
    ["object['spec'].x", "object['spec'].x"],
  ])('turns %s into %s', (written, rewritten) => {
    expect(expressions(written)[1]).toBe(rewritten);
  });

  it('matches the controllers of each group, with its own operations', () => {
    const [cronjobs, defaults] = validatingVariants(specOf({}, { operations: ['UPDATE'] }));
    const rules = (spec: JsonObject | undefined): string =>
      stringifyJson(objectOrEmpty(spec?.get('matchConstraints')).get('resourceRules') ?? null, {
        sortKeys: true,
        escapeHtml: false,
      });
    expect(rules(cronjobs?.spec)).toBe(
      '[{"apiGroups":["batch"],"apiVersions":["v1"],"operations":["UPDATE"],"resources":["cronjobs"]}]',
    );
    expect(JSON.parse(rules(defaults?.spec))).toMatchObject([
      { apiGroups: ['apps'], resources: ['daemonsets', 'deployments', 'replicasets', 'statefulsets'] },
      { apiGroups: ['batch'], resources: ['jobs'] },
    ]);
  });

  it('uses the controllers that it names, and finds templates of other kinds', () => {
    const controllers = ['deployments', 'rollouts.v1alpha1.argoproj.io', 'nothing'];
    const forms = validatingVariants(specOf({ autogen: { podControllers: { controllers } } })).map(({ form }) => form);
    expect(forms).toEqual(['defaults', 'extract']);
    expect(validatingVariants(specOf({ autogen: { podControllers: { controllers: [] } } }))).toEqual([]);
  });

  it.each([
    [{ resources: ['pods', 'services'] }],
    [{ resourceNames: ['web'] }],
    [{ apiVersions: ['*'] }],
    [{ resources: ['pods/exec'] }],
  ])('is unchanged if it matches %j', (rule) => {
    expect(validatingVariants(specOf({}, rule))).toEqual([]);
  });
});

describe('a MutatingPolicy for Pods', () => {
  function mutation(expression: string): readonly string[] {
    const spec = specOf({ mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }] });
    return mutatingVariants(spec).map((variant) => {
      const [first = new Map()] = objectItems(variant.spec.get('mutations'));
      return textField(objectOrEmpty(first.get('applyConfiguration')), 'expression');
    });
  }

  it('is wrapped in the types around a template', () => {
    expect(mutation('Object{spec: Object.spec{hostNetwork: false}}')[1]).toBe(
      'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{hostNetwork: false}}}}',
    );
  });

  it('keeps the text after the object, and is only moved if it does not start with one', () => {
    expect(mutation('has(object.spec.x) ? Object{} : Object{}')[1]).toBe(
      'has(object.spec.template.spec.x) ? Object{} : Object{}',
    );
    expect(mutation('Object{} ')[1]).toBe('Object{} ');
  });
});
