// The server's validation of custom resources before validating admission (apiextensions `registry/customresource/strategy.go`).
import { WorkExceeded } from '../../go/meter.ts';
import type { JsonObject } from '../../source/json/json.ts';
import { objectOrEmpty } from '../../source/json/json-field.ts';
import { isAtLeast } from '../api/version.ts';
import { dns1123Subdomain, maskTrailingDash } from '../validation/name-format.ts';
import { type NameFormat, pathSegmentFormat, validateObjectMeta } from '../validation/object-meta.ts';
import type { CustomResourceVersion } from './custom-resource-version.ts';
import { Correlation } from './object/correlation.ts';
import { type RuleNode, ruleTree } from './rule/rule-tree.ts';
import { validateRules } from './rule/rule-validation.ts';
import type { CustomResourceSchema } from './schema/custom-resource-schema.ts';
import type { CustomResourceServer } from './server.ts';
import type { ServerError } from './server-error.ts';
import { ServerPath } from './server-path.ts';
import { listTypeErrors } from './validation/list-types.ts';
import { scaleErrors } from './validation/scale.ts';

export interface Validity {
  /** In the server's order; map entries in the order of the object, because Go's map order is random. */
  readonly errors: readonly ServerError[];
  /** Violations that an update may keep, because it does not change the affected parts. */
  readonly warnings: readonly string[];
  /** Facts that could not be determined, one sentence each. */
  readonly unknowns: readonly string[];
  /** True if validation stopped at the work limit, so that errors may be missing. */
  readonly isUnfinished?: true;
}

/** Reported on the whole object, in addition to other errors. */
const RULES_NOT_CHECKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

export class ObjectValidator {
  readonly #version: CustomResourceVersion;
  readonly #schema: CustomResourceSchema;
  readonly #server: CustomResourceServer;
  #rules: { readonly tree: RuleNode | undefined } | undefined;

  constructor(version: CustomResourceVersion, schema: CustomResourceSchema, server: CustomResourceServer) {
    this.#version = version;
    this.#schema = schema;
    this.#server = server;
  }

  /** Validates a new object. Skips the name if the server generates it. */
  validate(object: JsonObject, hasGeneratedName: boolean): Validity {
    return this.#guarded(() => {
      const judged = hasGeneratedName ? withoutName(object) : object;
      const errors = [
        ...this.#metadataErrors(judged, subdomainFormat),
        ...this.#valueErrors(object),
        ...this.#listErrors(object),
      ];
      return this.#withRules(errors, object, undefined, undefined);
    });
  }

  /** Assumes that the name and other immutable fields are unchanged. */
  validateUpdate(object: JsonObject, before: JsonObject): Validity {
    return this.#guarded(() => {
      const { structural } = this.#schema;
      const excuses = isAtLeast(this.#server.version, '1.30') && structural !== undefined;
      const correlation = excuses ? new Correlation(object, before, structural) : undefined;
      const listErrors = this.#listErrors(before).length > 0 ? [] : this.#listErrors(object);
      const metadataErrors = this.#metadataErrors(object, pathSegmentFormat);
      const errors = [...metadataErrors, ...this.#valueErrors(object, correlation), ...listErrors];
      return this.#withRules(errors, object, before, correlation);
    });
  }

  #metadataErrors(object: JsonObject, nameFormat: NameFormat): readonly ServerError[] {
    const metadata = objectOrEmpty(object.get('metadata'));
    const place = ServerPath.root.child('metadata');
    return validateObjectMeta(metadata, this.#version.namespaced, nameFormat, []).map((error) =>
      this.#server.errors.ofField(error, place),
    );
  }

  #valueErrors(object: JsonObject, correlation?: Correlation): readonly ServerError[] {
    const { schemas, embedded, errors } = this.#server;
    const { values, structural } = this.#schema;
    const { scale } = this.#version;
    return [
      ...(values === undefined ? [] : schemas.validate(object, values, { correlation })),
      ...(scale === undefined ? [] : scaleErrors(object, scale, errors)),
      ...(structural === undefined || !this.#schema.hasEmbeddedResources
        ? []
        : embedded.validate(object, structural, false)),
    ];
  }

  #listErrors(object: JsonObject): readonly ServerError[] {
    const { structural } = this.#schema;
    return structural === undefined ? [] : listTypeErrors(object, structural, ServerPath.root, this.#server.errors);
  }

  #withRules(
    errors: readonly ServerError[],
    value: JsonObject,
    before: JsonObject | undefined,
    correlation: Correlation | undefined,
  ): Validity {
    const tree = this.#ruleTree();
    if (tree === undefined) return { errors, warnings: [], unknowns: [] };
    if (errors.some(({ blocksRules }) => blocksRules)) {
      const notChecked = this.#server.errors.invalid(ServerPath.root, null, RULES_NOT_CHECKED);
      return { errors: [...errors, notChecked], warnings: [], unknowns: [] };
    }
    const input = { value, before, correlation, path: ServerPath.root };
    const outcome = validateRules(
      tree,
      { ...input, work: this.#server.work },
      this.#server.version,
      this.#server.errors,
    );
    const { warnings, unknowns, isUnfinished } = outcome;
    return { errors: [...errors, ...outcome.errors], warnings, unknowns, ...(isUnfinished && { isUnfinished }) };
  }

  #ruleTree(): RuleNode | undefined {
    const { structural } = this.#schema;
    this.#rules ??= { tree: structural && ruleTree(structural, true, this.#server.rules) };
    return this.#rules.tree;
  }

  #guarded(validate: () => Validity): Validity {
    try {
      const { errors, ...validity } = validate();
      return { ...validity, errors: withoutRepeats(errors) };
    } catch (reason) {
      if (!(reason instanceof WorkExceeded)) throw reason;
      return { errors: [], warnings: [], unknowns: [], isUnfinished: true };
    }
  }
}

/** The server reports equal messages once, at their first position. */
function withoutRepeats(errors: readonly ServerError[]): readonly ServerError[] {
  const firsts = new Map<string, ServerError>();
  for (const error of errors) if (!firsts.has(error.message)) firsts.set(error.message, error);
  return [...firsts.values()];
}

function withoutName(object: JsonObject): JsonObject {
  const metadata = new Map(objectOrEmpty(object.get('metadata')));
  metadata.delete('name');
  return new Map([...object, ['metadata', metadata]]);
}

const subdomainFormat: NameFormat = (name, isPrefix) => dns1123Subdomain(isPrefix ? maskTrailingDash(name) : name);
