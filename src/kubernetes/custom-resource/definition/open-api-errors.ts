// The server's validation of the keywords in a schema (apiextensions `validation/validation.go: ValidateCustomResourceDefinitionOpenAPISchema`).
import { append } from '../../../go/slices/append.ts';
import { trimSpace } from '../../../go/strings/trim-space.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectField } from '../../../source/json/json-field.ts';
import { resolveRuleFieldPath } from '../rule/rule-field-path.ts';
import { parseSchema } from '../schema/parse-schema.ts';
import { META_FIELDS, type Schema, type ValidationRule } from '../schema/schema.ts';
import type { ServerErrors } from '../server-error.ts';
import type { ServerPath } from '../server-path.ts';
import type { DefinitionProblem } from './definition-problem.ts';
import { keywordErrors } from './keyword-errors.ts';
import { structureErrors } from './list-map-errors.ts';
import { RulePlace, type SchemaStep } from './rule-cardinality.ts';
import type { RuleCheck } from './rule-errors.ts';
import type { SchemaContext, WrittenSchema } from './written-schema.ts';

/** The server reports errors of expressions last, and only if there are no other errors. */
interface Found {
  readonly schema: DefinitionProblem[];
  readonly rules: DefinitionProblem[];
}

/** `rules`: undefined if the schema is not structural. */
export function openApiErrors(
  root: WrittenSchema,
  path: ServerPath,
  errors: ServerErrors,
  rules: RuleCheck | undefined,
): readonly DefinitionProblem[] {
  const context: SchemaContext = {
    isRoot: true,
    isMeta: false,
    defaultsForbidden: undefined,
    uncorrelated: undefined,
    place: rules && RulePlace.root(root.schema),
  };
  const found = new OpenApiCheck(errors, rules).visit(root, path, context);
  return [...found.schema, ...found.rules];
}

class OpenApiCheck {
  readonly #errors: ServerErrors;
  readonly #rules: RuleCheck | undefined;

  constructor(errors: ServerErrors, rules: RuleCheck | undefined) {
    this.#errors = errors;
    this.#rules = rules;
  }

  visit(written: WrittenSchema, path: ServerPath, context: SchemaContext): Found {
    const { json, schema } = written;
    const found: Found = { schema: [...keywordErrors(written, path, context, this.#errors)], rules: [] };
    const add = ({ schema: schemaErrors, rules }: Found): void => {
      append(found.schema, schemaErrors);
      append(found.rules, rules);
    };
    this.#children(written, path, context, add);
    append(found.schema, structureErrors(json, schema, path, this.#errors));
    for (const [index, rule] of schema.rules.entries()) {
      append(found.schema, this.#ruleFieldErrors(rule, written, path.child('x-kubernetes-validations').index(index)));
    }
    if (schema.rules.length > 0 && found.schema.length === 0 && context.place !== undefined) {
      append(found.rules, this.#rules?.rulesAt(context.place, path, context.uncorrelated) ?? []);
    }
    return found;
  }

  #children(
    { json, schema }: WrittenSchema,
    path: ServerPath,
    context: SchemaContext,
    add: (found: Found) => void,
  ): void {
    const place = (child: Schema, step: SchemaStep) => context.place?.child(child, step);
    const { additionalProperties, properties, values, items, listType, mapType } = schema;
    const inside = { ...context, isRoot: false };
    const visit = (value: JsonValue | undefined, child: Schema | undefined, at: ServerPath, within: SchemaContext) => {
      if (child === undefined) return;
      add(this.visit({ json: isJsonObject(value) ? value : NO_KEYWORDS, schema: child }, at, within));
    };
    if (typeof additionalProperties === 'object') {
      const reason = 'inside additionalProperties applying to object metadata';
      const defaultsForbidden = context.isMeta ? reason : context.defaultsForbidden;
      visit(json.get('additionalProperties'), additionalProperties, path.child('additionalProperties'), {
        ...inside,
        defaultsForbidden,
        place: place(additionalProperties, 'additionalProperties'),
      });
    }
    const isMapCorrelated = mapType === '' || mapType === 'granular' || mapType === 'atomic';
    for (const [name, property] of properties ?? []) {
      const isMeta = (context.isRoot || schema.embeddedResource) && META_FIELDS.has(name);
      visit(objectField(json, 'properties')?.get(name), property, path.child('properties').key(name), {
        ...inside,
        isMeta: context.isMeta || isMeta,
        defaultsForbidden: isMeta && context.isRoot ? `in top-level ${name}` : context.defaultsForbidden,
        uncorrelated: context.uncorrelated ?? (isMapCorrelated ? undefined : path),
        place: place(property, { property: name }),
      });
    }
    const nested = { ...inside, place: undefined };
    visit(json.get('not'), values.not, path.child('not'), nested);
    for (const keyword of ['allOf', 'oneOf', 'anyOf'] as const) {
      const written = json.get(keyword);
      for (const [index, child] of values[keyword].entries()) {
        visit(isJsonArray(written) ? written[index] : undefined, child, path.child(keyword).index(index), nested);
      }
    }
    visit(json.get('items'), items, path.child('items'), {
      ...inside,
      uncorrelated: context.uncorrelated ?? (listType === 'map' ? undefined : path),
      place: items && place(items, 'items'),
    });
  }

  #ruleFieldErrors(
    rule: ValidationRule,
    { json, schema }: WrittenSchema,
    path: ServerPath,
  ): readonly DefinitionProblem[] {
    const errors = this.#errors;
    const [text, message] = [trimSpace(rule.rule), trimSpace(rule.message)];
    const found: DefinitionProblem[] = [];
    if (text === '') found.push(errors.required(path.child('rule'), 'rule is not specified'));
    else if (rule.message !== '' && message === '') {
      found.push(errors.invalid(path.child('message'), rule.message, 'must be non-empty if specified'));
    } else if (hasLineBreak(message)) {
      found.push(errors.invalid(path.child('message'), rule.message, 'must not contain line breaks'));
    } else if (hasLineBreak(text) && message === '') {
      const detail = 'message must be specified if rule contains line breaks';
      found.push(errors.required(path.child('message'), detail));
    }
    if (rule.messageExpression !== '' && trimSpace(rule.messageExpression) === '') {
      const detail = 'messageExpression must be non-empty if specified';
      found.push(errors.required(path.child('messageExpression'), detail));
    }
    if (rule.reason !== '' && !REASONS.includes(rule.reason)) {
      found.push(errors.notSupported(path.child('reason'), rule.reason, REASONS));
    }
    if (rule.fieldPath === '') return found;
    const refuse = (detail: string) => found.push(errors.invalid(path.child('fieldPath'), rule.fieldPath, detail));
    if (trimSpace(rule.fieldPath) === '') refuse('must be non-empty if specified');
    if (hasLineBreak(rule.fieldPath)) refuse('must not contain line breaks');
    const isPath = resolveRuleFieldPath(rule.fieldPath, schema) !== undefined;
    // If the schema is not structural, the server accepts every path.
    if (!isPath && parseSchema(json).conversionError === undefined) refuse('must be a valid path');
    return found;
  }
}

/** The result of decoding null. */
const NO_KEYWORDS: JsonObject = new Map();

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}
