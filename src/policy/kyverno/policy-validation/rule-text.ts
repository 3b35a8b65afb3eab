// A rule as Kyverno prints it in a rejection: fields in struct order, with the CRD's defaults.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectField } from '../../../source/json/json-field.ts';

const RULE_FIELDS = [
  'name',
  'context',
  'match',
  'exclude',
  'imageExtractors',
  'preconditions',
  'celPreconditions',
  'mutate',
  'validate',
  'generate',
  'verifyImages',
  'skipBackgroundRequests',
  'reportProperties',
];

const VALIDATE_FIELDS = [
  'failureAction',
  'failureActionOverrides',
  'allowExistingViolations',
  'message',
  'manifests',
  'foreach',
  'pattern',
  'anyPattern',
  'deny',
  'podSecurity',
  'cel',
  'assert',
];

const BLOCK_FIELDS = ['any', 'all', 'roles', 'clusterRoles', 'subjects', 'resources'];
const FILTER_FIELDS = ['roles', 'clusterRoles', 'subjects', 'resources'];

export function ruleAsKyvernoPrintsIt(rule: JsonObject): JsonObject {
  const fields = new Map<string, JsonValue>(rule);
  if (!fields.has('skipBackgroundRequests')) fields.set('skipBackgroundRequests', true);
  for (const side of ['match', 'exclude']) {
    const block = objectField(rule, side);
    if (block !== undefined) fields.set(side, printedBlock(block));
  }
  const validation = objectField(rule, 'validate');
  if (validation !== undefined) {
    const printed = new Map<string, JsonValue>(validation);
    if (!printed.has('allowExistingViolations')) printed.set('allowExistingViolations', true);
    fields.set('validate', ordered(printed, VALIDATE_FIELDS));
  }
  return ordered(fields, RULE_FIELDS);
}

function printedBlock(block: JsonObject): JsonObject {
  const fields = new Map<string, JsonValue>(block);
  for (const form of ['any', 'all']) {
    const filters = block.get(form);
    if (Array.isArray(filters)) {
      fields.set(
        form,
        filters.map((filter) => (isJsonObject(filter) ? ordered(filter, FILTER_FIELDS) : filter)),
      );
    }
  }
  if (!fields.has('resources')) fields.set('resources', new Map());
  return ordered(fields, BLOCK_FIELDS);
}

function ordered(fields: JsonObject, names: readonly string[]): JsonObject {
  const known = names.filter((name) => fields.has(name));
  const others = [...fields.keys()].filter((name) => !names.includes(name));
  return new Map([...known, ...others].map((name): [string, JsonValue] => [name, fields.get(name) ?? null]));
}
