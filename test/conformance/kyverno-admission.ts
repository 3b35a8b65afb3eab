// Answers recorded lines of the API server's own policies as Kyverno's command line runs them (`pkg/admissionpolicy/{validate,mutate}.go`).

import { BOOL, listOf, type Type } from '../../src/cel/check/type.ts';
import { ErrorValue } from '../../src/cel/value/value.ts';
import { recurringKind } from '../../src/kubernetes/api/group-version.ts';
import { Resource } from '../../src/kubernetes/api/resource.ts';
import { DEFAULT_VERSION } from '../../src/kubernetes/api/version.ts';
import { AdmissionEnvironments } from '../../src/kubernetes/cel/admission-environment.ts';
import { JSON_PATCH_TYPE, OBJECT_TYPE } from '../../src/kubernetes/cel/mutation-types.ts';
import { UNTYPED_DEDUCED } from '../../src/kubernetes/patch/merge-type.ts';
import { RunBudget } from '../../src/kubernetes/request/run-budget.ts';
import { labelsOf, readLabelSelector, selectorMatches } from '../../src/kubernetes/selector/label-selector.ts';
import { compilePolicy } from '../../src/policy/admission/validating/compiled-policy.ts';
import { readValidatingPolicy } from '../../src/policy/admission/validating/validating-policy.ts';
import { Validator } from '../../src/policy/admission/validating/validator.ts';
import { compileExpression } from '../../src/policy/expression/compiled-expression.ts';
import { evaluateMatchConditions } from '../../src/policy/expression/match-conditions.ts';
import { NamespaceObject } from '../../src/policy/expression/namespace-object.ts';
import { type EvaluationSubject, RequestActivation } from '../../src/policy/expression/request-activation.ts';
import { CompiledVariables } from '../../src/policy/expression/variables.ts';
import { applyMutation } from '../../src/policy/kyverno/cel-policy/apply-mutation.ts';
import type { CelPolicySubject } from '../../src/policy/kyverno/cel-policy/cel-response.ts';
import { matchesConstraints, readMatchConstraints } from '../../src/policy/kyverno/cel-policy/match-constraints.ts';
import { isSame } from '../../src/policy/kyverno/mutate/mutate-resource.ts';
import { subjectOf } from '../../src/policy/kyverno/suite/answer-cel.ts';
import type {
  PolicyAnswer,
  PolicyQuestion,
  RuleAnswer,
  SuiteTools,
} from '../../src/policy/kyverno/suite/suite-answer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../src/source/json/json-field.ts';
import type { Manifest } from '../../src/source/manifest/manifest.ts';

const ENVIRONMENTS = new AdmissionEnvironments(DEFAULT_VERSION);
const NO_ANSWER: PolicyAnswer = { outcome: 'no-response', results: [] };

export function answerAdmission(line: PolicyQuestion, tools: SuiteTools): PolicyAnswer {
  const subject = withUser(subjectOf(line, tools));
  const spec = objectOrEmpty(line.policy.get('spec'));
  const name = textField(objectOrEmpty(line.policy.get('metadata')), 'name');
  const bindings = line.extraDocs.map(objectOrEmpty).map((binding) => objectOrEmpty(binding.get('spec')));
  const own = bindings.filter((binding) => textField(binding, 'policyName') === name);
  const isMutating = textField(line.policy, 'kind') === 'MutatingAdmissionPolicy';
  const run = isMutating ? mutate : validate;
  let answer: PolicyAnswer = NO_ANSWER;
  let object = subject.request.object ?? new Map();
  const runs =
    own.length === 0
      ? [{ constraints: spec.get('matchConstraints') ?? null, params: null }]
      : own.map((binding) => ({ constraints: binding.get('matchResources'), params: paramsOf(line, binding) }));
  for (const { constraints, params } of runs) {
    const request = { ...subject.request, object };
    const criteria = readMatchConstraints(constraints);
    const isMatch =
      constraints === undefined || matchesConstraints(criteria, request, subject.namespaceLabels) === true;
    if (!isMatch) continue;
    const next = run(line.policy, { ...subject, request }, params);
    if (next === undefined) continue;
    answer = next.answer;
    object = next.object ?? object;
  }
  const before = subject.request.object ?? new Map();
  return isMutating && answer.results.length > 0 && !isSame(object, before) ? { ...answer, patched: object } : answer;
}

interface Run {
  readonly answer: PolicyAnswer;
  readonly object?: JsonObject;
}

/** Without a user, Kyverno evaluates its own background scan. */
function withUser(subject: CelPolicySubject): CelPolicySubject {
  const { userInfo } = subject.request;
  const scan = 'system:kyverno:background-scan';
  const user = {
    ...userInfo,
    username: userInfo.username || scan,
    uid: userInfo.uid || scan,
    groups: userInfo.groups.length === 0 ? [scan] : userInfo.groups,
  };
  return { ...subject, request: { ...subject.request, operation: 'CREATE', oldObject: null, userInfo: user } };
}

/** Combines all params that a selector matches into one list. Ignores the namespace if the reference has a name. */
function paramsOf(line: PolicyQuestion, binding: JsonObject): JsonObject | null {
  const reference = binding.get('paramRef');
  if (!isJsonObject(reference)) return null;
  const params = objectItems(line.context.get('params'));
  const written = reference.get('selector');
  if (isJsonObject(written)) {
    const selector = readLabelSelector(written);
    if ('error' in selector) return null;
    const items = params.filter((param) => selectorMatches(selector, labelsOf(param)));
    return items.length === 0 ? null : new Map<string, JsonValue>([['items', items]]);
  }
  const [name, namespace] = [textField(reference, 'name'), textField(reference, 'namespace')];
  const found = params.find((param) => {
    const metadata = objectOrEmpty(param.get('metadata'));
    if (name !== '') return textField(metadata, 'name') === name;
    return namespace !== '' && textField(metadata, 'namespace') === namespace;
  });
  return found ?? null;
}

function evaluated(line: JsonObject, type: string, status: string, message: string): PolicyAnswer {
  const rule = textField(objectOrEmpty(line.get('metadata')), 'name');
  const result: RuleAnswer = { rule, type, status, message };
  return { outcome: 'evaluated', results: [result] };
}

function namespaceObject({ request, namespaceLabels }: CelPolicySubject): NamespaceObject | null {
  const { namespace, kind } = request;
  if (namespace === '' || (kind.kind === 'Namespace' && kind.group === '')) return null;
  const metadata = new Map<string, JsonValue>([
    ['name', namespace],
    ['labels', new Map(namespaceLabels)],
  ]);
  return new NamespaceObject(new Map([['metadata', metadata]]));
}

function validate(policy: JsonObject, subject: CelPolicySubject, params: JsonObject | null): Run {
  const gvk = recurringKind('admissionregistration.k8s.io', 'v1', 'ValidatingAdmissionPolicy');
  const read = readValidatingPolicy(new Resource(undefined as unknown as Manifest, [], gvk, policy));
  const validator = new Validator(read, compilePolicy(read, 'stored', ENVIRONMENTS), new RunBudget());
  const { request } = subject;
  const matched = { request, matchedKind: request.kind, matchedResource: request.resource };
  const namespace = namespaceObject(subject) ?? new NamespaceObject(new Map([['metadata', new Map()]]));
  const { decisions, skipped } = validator.validate(matched, params, namespace, () => ({
    check: () => ({ decision: 'noOpinion', reason: '' }),
  }));
  const answer = (status: string, message: string): Run => ({
    answer: evaluated(policy, 'Validation', status, message),
  });
  if (skipped) return answer('skip', "match conditions aren't met");
  for (const { evaluation, action, message } of decisions) {
    if (evaluation === 'error') return answer('error', message);
    if (action === 'deny') return answer('fail', message);
  }
  return answer('pass', '');
}

function mutate(policy: JsonObject, subject: CelPolicySubject, params: JsonObject | null): Run | undefined {
  const spec = objectOrEmpty(policy.get('spec'));
  const declarations = {
    mode: 'stored',
    hasParams: params !== null,
    hasAuthorizer: false,
    hasPatchTypes: true,
  } as const;
  const named = objectItems(spec.get('variables')).map((variable) => ({
    name: textField(variable, 'name'),
    expression: textField(variable, 'expression'),
  }));
  const variables = new CompiledVariables(named, (types) =>
    ENVIRONMENTS.context({ ...declarations, variables: types }),
  );
  const context = ENVIRONMENTS.context({ ...declarations, variables });
  const compile = (text: string, type: Type) => compileExpression(text, [type], context);
  const conditions = objectItems(spec.get('matchConditions')).map((each) =>
    compile(textField(each, 'expression'), BOOL),
  );
  let object = subject.request.object ?? new Map();
  const activationFor = (phase: 'matchConditions' | 'validations', isHeld: boolean): RequestActivation => {
    const request = { ...subject.request, object };
    const asked: EvaluationSubject = {
      matched: { request, matchedKind: request.kind, matchedResource: request.resource },
      params: isHeld ? params : null,
      namespace: namespaceObject(subject),
      authorizerFor: () => ({ authorizer: null, requestResource: null }),
    };
    return new RequestActivation(asked, phase, variables, false);
  };
  const outcome = evaluateMatchConditions(conditions, activationFor('matchConditions', false), 'Fail');
  if ('error' in outcome) return undefined;
  if (!outcome.matches) return { answer: evaluated(policy, 'Mutation', 'skip', "match conditions aren't met") };
  for (const mutation of objectItems(spec.get('mutations'))) {
    const isPatch = textField(mutation, 'patchType') === 'JSONPatch';
    const text = textField(objectOrEmpty(mutation.get(isPatch ? 'jsonPatch' : 'applyConfiguration')), 'expression');
    const { program } = compile(text, isPatch ? listOf(JSON_PATCH_TYPE) : OBJECT_TYPE);
    if (program === undefined) return undefined;
    const { value } = program.evaluate(activationFor('validations', true));
    if (value instanceof ErrorValue) return undefined;
    const target = { mergeType: UNTYPED_DEDUCED, mayReplace: false };
    const mutated = applyMutation(value, object, target, [object, params]);
    if ('error' in mutated) return undefined;
    object = mutated.object;
  }
  return { answer: evaluated(policy, 'Mutation', 'pass', 'mutation is successfully applied'), object };
}
