// The server's validation of a version's schema (apiextensions `validation/validation.go: validateCustomResourceDefinitionValidation`).
import type { JsonObject } from '../../../source/json/json.ts';
import type { Schema } from '../schema/schema.ts';
import { structuralErrors } from '../schema/structural-schema.ts';
import type { CustomResourceServer } from '../server.ts';
import type { ServerPath } from '../server-path.ts';
import { defaultErrors } from './default-errors.ts';
import type { DefinitionProblem } from './definition-problem.ts';
import { goSchema, setFields } from './go-schema.ts';
import { openApiErrors } from './open-api-errors.ts';
import { RuleCheck } from './rule-errors.ts';

/** The definition's settings for the schema of one version, and the parsed schema. */
export interface DefinedSchema {
  readonly json: JsonObject;
  /** With numbers as written. */
  readonly schema: Schema;
  /** The server's error if the schema cannot become structural. */
  readonly conversionError: string | undefined;
  readonly hasStatus: boolean;
}

/** Checks rules only if the schema is structural. */
export function definitionErrors(
  { json, schema, conversionError, hasStatus }: DefinedSchema,
  path: ServerPath,
  server: CustomResourceServer,
): readonly DefinitionProblem[] {
  const { errors } = server;
  const rootErrors: DefinitionProblem[] = hasStatus ? [...statusErrors(json, schema, path, server)] : [];
  if (schema.nullable) rootErrors.push(errors.forbidden(path.child('nullable'), 'nullable cannot be true at the root'));
  const structural = conversionError === undefined ? structuralErrors(schema, path, errors, server.patternError) : [];
  const isStructural = conversionError === undefined && structural.length === 0;
  const defaults = isStructural ? defaultErrors(schema, path, server) : [];
  const isSound = isStructural && defaults.length === 0;
  const rules = isSound ? new RuleCheck(server.newRules, errors) : undefined;
  const found = [...rootErrors, ...structural, ...defaults, ...openApiErrors({ json, schema }, path, errors, rules)];
  if (found.length === 0 && conversionError !== undefined) found.push(errors.invalid(path, '', conversionError));
  return [...found, ...(rules?.totalErrors(path) ?? [])];
}

/** Go names of the keywords that the root may have if there is a status subresource. */
const ALLOWED_AT_ROOT: readonly string[] = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
];

/** The server validates the status on its own, so other root keywords are forbidden. The error shows the whole schema. */
function statusErrors(
  json: JsonObject,
  { type }: Schema,
  path: ServerPath,
  { errors }: CustomResourceServer,
): readonly DefinitionProblem[] {
  if (type !== '' && type !== 'object') {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [errors.invalid(path.child('type'), type, detail)];
  }
  const value = goSchema(json);
  const isAllowed = setFields(value).every((field) => ALLOWED_AT_ROOT.includes(field));
  if (isAllowed) return [];
  const detail = `only [${ALLOWED_AT_ROOT.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [errors.invalidStruct(path, value, detail)];
}
