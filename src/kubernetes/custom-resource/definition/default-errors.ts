// The server's validation of the defaults in a schema (apiextensions `schema/defaulting/validation.go`).

import { WorkExceeded } from '../../../go/meter.ts';
import { append } from '../../../go/slices/append.ts';
import { copyJson } from '../../../source/json/copy-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { isAtLeast } from '../../api/version.ts';
import { aggregateErrors } from '../../validation/aggregate-errors.ts';
import { isSameJson } from '../object/json-equality.ts';
import { coerceMetadata } from '../object/object-meta.ts';
import { prune } from '../object/prune.ts';
import { ruleTree } from '../rule/rule-tree.ts';
import { RULE_COST_BUDGET, validateRules } from '../rule/rule-validation.ts';
import { asResource, META_FIELDS, type Schema } from '../schema/schema.ts';
import type { CustomResourceServer } from '../server.ts';
import type { ServerPath } from '../server-path.ts';
import type { DefinitionProblem } from './definition-problem.ts';

/** Ignores defaults of map values, as upstream. In schema order, because Go's map order is random. */
export function defaultErrors(
  schema: Schema,
  path: ServerPath,
  server: CustomResourceServer,
): readonly DefinitionProblem[] {
  const check = new DefaultCheck(server);
  const root = asResource(schema);
  check.visit(root, path, { root, steps: [], isMeta: false });
  return check.found;
}

/** The position of a schema in the enclosing resource. */
interface Surroundings {
  readonly root: Schema;
  /** Index 0 represents any item. */
  readonly steps: FieldPath;
  /** Within apiVersion, kind or metadata. */
  readonly isMeta: boolean;
}

class DefaultCheck {
  readonly found: DefinitionProblem[] = [];
  readonly #server: CustomResourceServer;
  #budget = RULE_COST_BUDGET;

  constructor(server: CustomResourceServer) {
    this.#server = server;
  }

  visit(schema: Schema, path: ServerPath, surroundings: Surroundings): void {
    const here = schema.embeddedResource ? { root: schema, steps: [], isMeta: false } : surroundings;
    if (schema.default !== undefined) {
      // The server validates and shows a default after decoding its metadata.
      const value = copyJson(schema.default);
      const place = path.child('default');
      const errors = here.isMeta ? this.#metaErrors(value, here, place) : this.#resourceErrors(value, schema, place);
      append(this.found, errors);
      if (errors.length === 0) this.#guarded(() => this.#valueErrors(value, schema, place, schema === here.root));
    }
    if (this.#budget < 0) return;
    if (schema.items !== undefined) {
      this.visit(schema.items, path.child('items'), { ...here, steps: [...here.steps, 0] });
    }
    for (const [name, property] of schema.properties ?? []) {
      if (this.#budget < 0) return;
      const isMeta = here.isMeta || (schema.embeddedResource && META_FIELDS.has(name));
      const within = { ...here, steps: [...here.steps, name], isMeta };
      this.visit(property, path.child('properties').key(name), within);
    }
  }

  /** The default must be valid metadata for the enclosing resource. */
  #metaErrors(value: JsonValue, { root, steps }: Surroundings, place: ServerPath): readonly DefinitionProblem[] {
    const { metadata, embedded, errors } = this.#server;
    const resource = copyJson(surroundingResource(value, steps));
    const refuse = (reason: string) => [errors.invalid(place, value, `must result in valid metadata: ${reason}`)];
    const coerced = coerceMetadata(resource, root, true, 'refuse', metadata, errors);
    if ('error' in coerced) return refuse(coerced.error.message);
    const invalid = embedded.validate(resource, root, true);
    return invalid.length === 0 ? [] : refuse(aggregateErrors(invalid.map(({ message }) => message)));
  }

  /** Errors of resources embedded in the default. Decodes their metadata in place. */
  #resourceErrors(value: JsonValue, schema: Schema, place: ServerPath): readonly DefinitionProblem[] {
    const { metadata, embedded, errors } = this.#server;
    const pruned = copyJson(value);
    prune(pruned, schema, schema.embeddedResource);
    const isPruned = isSameJson(pruned, value);
    const coerced = coerceMetadata(value, schema, schema.embeddedResource, 'refuse', metadata, errors, place);
    if (!isPruned) this.found.push(errors.invalid(place, value, 'must not have unknown fields'));
    return 'error' in coerced ? [coerced.error] : embedded.validate(value, schema, schema.embeddedResource, place);
  }

  /** Ignores a default that takes too much work to validate; the objects that use it report the limit. */
  #guarded(validate: () => void): void {
    try {
      validate();
    } catch (reason) {
      if (!(reason instanceof WorkExceeded)) throw reason;
    }
  }

  #valueErrors(value: JsonValue, schema: Schema, place: ServerPath, isResourceRoot: boolean): void {
    const errors = this.#server.schemas.validate(value, schema, { base: place, isStructural: true });
    append(this.found, errors);
    const tree = errors.length > 0 ? undefined : ruleTree(schema, isResourceRoot, this.#server.rules);
    if (tree === undefined) return;
    const { version, errors: words } = this.#server;
    const input = { value, path: place, budget: this.#budget };
    const update = validateRules(tree, { ...input, before: value }, version, words);
    append(this.found, update.errors);
    const isCreated = update.errors.length === 0 && isAtLeast(version, '1.30');
    const creation = isCreated ? validateRules(tree, input, version, words) : update;
    if (isCreated) append(this.found, creation.errors);
    this.#budget = Math.min(update.remainingBudget, creation.remainingBudget);
  }
}

/** A resource with only this value. */
function surroundingResource(value: JsonValue, steps: FieldPath): JsonObject {
  const resource = steps.reduceRight<JsonValue>(
    (inner, step) => (typeof step === 'number' ? [inner] : new Map([[step, inner]])),
    value,
  );
  const fields = isJsonObject(resource) ? resource : new Map<string, JsonValue>();
  return new Map<string, JsonValue>([['kind', 'Validation'], ['apiVersion', 'validation/v1'], ...fields]);
}
