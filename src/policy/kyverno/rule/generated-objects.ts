// Lists the objects that a generate rule would create for an object: kinds and names, with variables substituted (`pkg/background/generate`).
import { isJsonArray, type JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import { readConditions } from '../conditions/condition.ts';
import { type ContextSource, loadContextEntries } from '../context/context-entries.ts';
import { evaluateList, preconditionsMet } from '../validate/validate-resource.ts';
import { substituteAll } from '../variables/substitute.ts';
import { VariableError } from '../variables/variable-error.ts';
import type { KyvernoRule } from './compiled-rule.ts';
import type { PolicyContext } from './policy-context.ts';

/** E.g. `NetworkPolicy shop/default-deny`, or a description if the name is unknown. The rule must match the object of `context`. */
export function generatedObjects(rule: KyvernoRule, context: PolicyContext, source: ContextSource): readonly string[] {
  const generation = objectOrEmpty(rule.computed.value.get('generate'));
  const { json } = context;
  json.checkpoint();
  try {
    if (loadContextEntries(rule.context, json, source, rule.name) !== undefined) return ['unknown objects'];
    const loops = generation.get('foreach');
    if (!isJsonArray(loops) || loops.length === 0) return labelsOf(generation, context);
    return objectItems(loops).flatMap((loop) => ofLoop(loop, context, source, rule.name));
  } finally {
    json.restore();
  }
}

function ofLoop(loop: JsonObject, context: PolicyContext, source: ContextSource, rule: string): readonly string[] {
  const elements = evaluateList(textField(loop, 'list'), context);
  if ('error' in elements) return [];
  const { json } = context;
  const labels: string[] = [];
  for (const [index, element] of elements.values.entries()) {
    json.checkpoint();
    json.addElement(element, index, 0);
    const isLoaded = loadContextEntries(objectItems(loop.get('context')), json, source, rule) === undefined;
    const met = preconditionsMet(readConditions(loop.get('preconditions') ?? undefined), json);
    if (isLoaded && !('error' in met) && met.holds) for (const label of labelsOf(loop, context)) labels.push(label);
    json.restore();
  }
  return labels;
}

function labelsOf(generation: JsonObject, { json }: PolicyContext): readonly string[] {
  const replaced = (object: JsonObject, field: string): string => {
    const text = textField(object, field);
    const value = substituteAll(json, text);
    return value instanceof VariableError || typeof value !== 'string' ? text : value;
  };
  const place = (name: string): string => {
    const namespace = replaced(generation, 'namespace');
    return namespace === '' ? name : `${namespace}/${name}`;
  };
  const list = objectOrEmpty(generation.get('cloneList'));
  const kinds = textItems(list.get('kinds'));
  if (kinds.length > 0) {
    const from = replaced(list, 'namespace');
    return kinds.map((kind) => `every ${kind.split('/').at(-1)} of ${from} in ${replaced(generation, 'namespace')}`);
  }
  return [`${replaced(generation, 'kind')} ${place(replaced(generation, 'name'))}`];
}
