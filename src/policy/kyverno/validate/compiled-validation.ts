// A compiled validate rule: pattern, anyPattern, deny and foreach.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import { type Conditions, readConditions } from '../conditions/condition.ts';
import { compilePattern, type Pattern } from '../pattern/compiled-pattern.ts';
import { SubstitutedValue } from './substituted.ts';

/** One level: the rule itself, or an entry of foreach. */
export interface CompiledValidation {
  readonly context: readonly JsonObject[];
  readonly preconditions: Conditions | undefined;
  readonly pattern: SubstitutedValue<Pattern> | undefined;
  /** Undefined if the value is not a list. */
  readonly anyPattern: SubstitutedValue<readonly Pattern[] | undefined> | undefined;
  /** `deny: {}` always denies. */
  readonly deny: Conditions | undefined;
  readonly foreach: readonly CompiledForEach[];
}

export interface CompiledForEach extends CompiledValidation {
  readonly list: string;
  readonly elementScope: boolean | undefined;
}

export function compileValidation(
  level: JsonObject,
  context: readonly JsonObject[],
  preconditions: JsonValue | undefined,
): CompiledValidation {
  const pattern = level.get('pattern') ?? null;
  const anyPattern = level.get('anyPattern') ?? null;
  const deny = objectField(level, 'deny');
  return {
    context,
    preconditions: readConditions(preconditions ?? undefined),
    pattern: pattern === null ? undefined : new SubstitutedValue(pattern, compilePattern),
    anyPattern: anyPattern === null ? undefined : new SubstitutedValue(anyPattern, compileAlternatives),
    deny: deny && (readConditions(deny.get('conditions') ?? undefined) ?? ALWAYS),
    foreach: objectItems(level.get('foreach')).map(compileForEach),
  };
}

const ALWAYS: Conditions = { form: 'any-all', conditions: { any: undefined, all: [] } };

function compileAlternatives(value: JsonValue): readonly Pattern[] | undefined {
  return isJsonArray(value) ? value.map(compilePattern) : undefined;
}

function compileForEach(level: JsonObject): CompiledForEach {
  const elementScope = level.get('elementScope');
  return {
    ...compileValidation(level, objectItems(level.get('context')), level.get('preconditions')),
    list: textField(level, 'list'),
    elementScope: typeof elementScope === 'boolean' ? elementScope : undefined,
  };
}

export function isEnforce(action: string): boolean {
  return action === 'Enforce' || action === 'enforce';
}

export function validationOf(rule: JsonObject): JsonObject {
  const validation = rule.get('validate');
  return isJsonObject(validation) ? validation : objectOrEmpty(undefined);
}
