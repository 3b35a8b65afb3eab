// Validates a rule's validate, mutate and generate actions (`pkg/policy/{validate,mutate,generate}/validate.go`).
import { compareUtf8, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import { hasContent } from '../autogen/autogen.ts';
import { type Anchor, parseAnchor } from '../pattern/anchor.ts';
import type { RuleProblem } from './check-conditions.ts';

/** The message follows `path: spec.rules[N].` and starts with the action's name. */
export function checkActions(rule: JsonObject): RuleProblem | undefined {
  const actions: readonly (readonly [string, (action: JsonObject, rule: JsonObject) => RuleProblem | undefined])[] = [
    ['mutate', checkMutation],
    ['validate', checkValidation],
    ['generate', checkGenerated],
  ];
  for (const [name, check] of actions) {
    const action = rule.get(name);
    if (!isJsonObject(action) || !hasContent(action)) continue;
    const problem = check(action, rule);
    if (problem !== undefined) return { ...problem, at: `${name}.${problem.at}.`, path: [name, ...problem.path] };
  }
  return undefined;
}

const plain = (message: string, path: RuleProblem['path'] = []): RuleProblem => ({ at: '', message, path });

const isGiven = (object: JsonObject, name: string): boolean => (object.get(name) ?? null) !== null;

function checkValidation(validation: JsonObject, rule: JsonObject): RuleProblem | undefined {
  const manifests = objectOrEmpty(validation.get('manifests'));
  const count =
    ['pattern', 'anyPattern', 'deny', 'foreach', 'podSecurity', 'cel'].filter((name) => isGiven(validation, name))
      .length + (objectItems(manifests.get('attestors')).length > 0 ? 1 : 0);
  if (count === 0) return plain('one of pattern, anyPattern, deny, foreach, cel must be specified');
  if (count > 1) return plain('only one of pattern, anyPattern, deny, foreach, cel can be specified');
  const pattern = validation.get('pattern');
  const problem = isGiven(validation, 'pattern') ? checkPattern(pattern ?? null, '/', ['pattern']) : undefined;
  if (problem !== undefined) return { ...problem, at: `pattern.${problem.at}` };
  const anyPattern = validation.get('anyPattern');
  if (isGiven(validation, 'anyPattern')) {
    if (!isJsonArray(anyPattern)) {
      const type = isJsonObject(anyPattern) ? 'object' : typeof anyPattern;
      const message = `failed to deserialize anyPattern, expect array: json: cannot unmarshal ${type} into Go value of type []interface {}`;
      return { at: 'anyPattern', message, path: ['anyPattern'] };
    }
    for (const [index, each] of anyPattern.entries()) {
      const found = checkPattern(each, '/', ['anyPattern', index]);
      if (found !== undefined) return { ...found, at: `anyPattern[${index}].${found.at}` };
    }
  }
  for (const [index, loop] of objectItems(validation.get('foreach')).entries()) {
    const path = ['foreach', index];
    if (textField(loop, 'list') === '') return plain('foreach.list is required', path);
    const given = ['pattern', 'anyPattern', 'deny'].filter((name) => isGiven(loop, name)).length;
    const total = given + (objectItems(loop.get('foreach')).length > 0 ? 1 : 0);
    const choices = 'pattern, anyPattern, deny, or a nested foreach';
    if (total === 0) return plain(`one of ${choices} must be specified`, path);
    if (total > 1) return plain(`only one of ${choices} can be specified`, path);
  }
  const cel = objectField(validation, 'cel');
  if (isJsonArray(rule.get('celPreconditions')) && cel === undefined) {
    return plain('celPrecondition can only be used with validate.cel');
  }
  return cel === undefined ? undefined : checkCel(cel);
}

function checkCel(cel: JsonObject): RuleProblem | undefined {
  const required = (name: string): RuleProblem => plain(`cel.${name} is required`, ['cel']);
  for (const [index, each] of objectItems(cel.get('expressions')).entries()) {
    if (textField(each, 'expression') !== '') continue;
    return plain('cel.expressions.expression is required', ['cel', 'expressions', index]);
  }
  const paramKind = objectField(cel, 'paramKind');
  const paramRef = objectField(cel, 'paramRef');
  if (paramKind !== undefined) {
    if (textField(paramKind, 'apiVersion') === '') return required('paramKind.apiVersion');
    if (textField(paramKind, 'kind') === '') return required('paramKind.kind');
    if (paramRef === undefined) return required('paramRef');
  }
  if (paramRef !== undefined) {
    const hasName = textField(paramRef, 'name') !== '';
    if (hasName === isJsonObject(paramRef.get('selector'))) {
      return plain('one of cel.paramRef.name or cel.paramRef.selector must be set', ['cel', 'paramRef']);
    }
    if (!isGiven(paramRef, 'parameterNotFoundAction')) return required('paramRef.parameterNotFoundAction');
    if (paramKind === undefined) return required('paramKind');
  }
  for (const annotation of objectItems(cel.get('auditAnnotations'))) {
    if (textField(annotation, 'key') === '') return required('auditAnnotation.key');
    if (textField(annotation, 'valueExpression') === '') return required('auditAnnotation.valueExpression');
  }
  return undefined;
}

const SUPPORTED: readonly Anchor['type'][] = ['condition', 'existence', 'equality', 'negation', 'global'];

function checkPattern(
  pattern: JsonValue,
  at: string,
  path: readonly (string | number)[],
  supported: readonly Anchor['type'][] = SUPPORTED,
): RuleProblem | undefined {
  if (isJsonArray(pattern)) {
    for (const [index, item] of pattern.entries()) {
      const problem = checkPattern(item, `${at}${index}/`, [...path, index], supported);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  if (!isJsonObject(pattern)) return undefined;
  for (const key of [...pattern.keys()].sort(compareUtf8)) {
    const value = pattern.get(key) as JsonValue;
    const below = { at: `${at}/${key}`, path: [...path, key] };
    const anchor = parseAnchor(key);
    if (anchor !== undefined) {
      if (!supported.includes(anchor.type)) return { ...below, message: `unsupported anchor ${key}` };
      if (anchor.type === 'existence') {
        if (!isJsonArray(value)) return { ...below, message: 'existence anchor should have value of type list' };
        if (value.length === 0) return { ...below, message: 'existence anchor: should have at least one value' };
      }
    }
    const problem = checkPattern(value, below.at, below.path, supported);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const ONE_PATCH = 'only one of `patchStrategicMerge` or `patchesJson6902` is allowed';

function checkMutation(mutation: JsonObject, rule: JsonObject): RuleProblem | undefined {
  const hasMerge = isGiven(mutation, 'patchStrategicMerge');
  const hasOperations = textField(mutation, 'patchesJson6902') !== '';
  const loops = objectItems(mutation.get('foreach'));
  if (loops.length > 0) {
    if (!hasMerge && !hasOperations) return checkMutationLoops(loops, '', ['foreach']);
    const message = 'only one of `foreach`, `patchStrategicMerge`, or `patchesJson6902` is allowed';
    return { at: 'foreach', message, path: ['foreach'] };
  }
  if (hasMerge && hasOperations) return { at: 'foreach', message: ONE_PATCH, path: [] };
  if (isJsonArray(rule.get('celPreconditions'))) return plain('celPrecondition can only be used with validate.cel');
  return undefined;
}

function checkMutationLoops(
  loops: readonly JsonObject[],
  tag: string,
  path: readonly (string | number)[],
): RuleProblem | undefined {
  let at = tag;
  for (const [index, loop] of loops.entries()) {
    at += `foreach[${index}]`;
    const place = [...path, index];
    const nested = objectItems(loop.get('foreach'));
    const hasMerge = isGiven(loop, 'patchStrategicMerge');
    const hasOperations = textField(loop, 'patchesJson6902') !== '';
    if (nested.length > 0) {
      if (isGiven(loop, 'context') || isGiven(loop, 'preconditions') || hasMerge || hasOperations) {
        return { at, message: 'a nested foreach cannot contain other declarations', path: place };
      }
      return checkMutationLoops(nested, at, [...place, 'foreach']);
    }
    if (hasMerge === hasOperations) return { at, message: ONE_PATCH, path: place };
  }
  return undefined;
}

function checkGenerated(generation: JsonObject, rule: JsonObject): RuleProblem | undefined {
  const cloneList = objectOrEmpty(generation.get('cloneList'));
  const selector = objectField(cloneList, 'selector');
  if (
    selector !== undefined &&
    [...objectOrEmpty(selector.get('matchLabels'))].some((each) => /[*?]/.test(each.join()))
  ) {
    return { at: 'selector', message: 'wildcard characters `*/?` not supported', path: ['cloneList', 'selector'] };
  }
  const data = generation.get('data') ?? null;
  const problem = data === null ? undefined : checkPattern(data, '/', ['data'], []);
  if (problem !== undefined) {
    const message = `anchors not supported on generate resources: ${problem.message}`;
    return { ...problem, at: `data.${problem.at}`, message };
  }
  const kinds = textItems(objectOrEmpty(objectOrEmpty(rule.get('match')).get('resources')).get('kinds'));
  return kinds.includes(textField(generation, 'kind')) ? SAME_KIND : undefined;
}

const SAME_KIND: RuleProblem = {
  ...plain('generation kind and match resource kind should not be the same'),
  standsAlone: true,
};
