// The parts of a custom resource schema that the server uses (apiextensions `pkg/apiserver/schema/structural.go`).

import type { JsonValue } from '../../../source/json/json.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';

/**
 * One schema node. Nodes under `allOf`, `anyOf`, `oneOf` and `not` have the same type, but only their value validations
 * and rules have an effect. Missing texts are empty, missing flags false.
 */
export interface Schema {
  readonly type: string;
  /** Documentation text is not kept. */
  readonly hasTitle: boolean;
  readonly hasDescription: boolean;
  readonly nullable: boolean;
  /** Undefined if absent or null; the server treats null as absent. */
  readonly default: JsonValue | undefined;
  readonly properties: ReadonlyMap<string, Schema> | undefined;
  readonly additionalProperties: Schema | boolean | undefined;
  readonly items: Schema | undefined;
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  /** `x-kubernetes-list-type` and `x-kubernetes-map-type`; empty if absent. */
  readonly listType: string;
  readonly mapType: string;
  readonly listMapKeys: readonly string[];
  readonly rules: readonly ValidationRule[];
  readonly values: ValueValidation;
}

/** Absent limits are undefined. */
export interface ValueValidation {
  readonly format: string;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly multipleOf: number | undefined;
  readonly maxLength: bigint | undefined;
  readonly minLength: bigint | undefined;
  readonly pattern: string;
  readonly maxItems: bigint | undefined;
  readonly minItems: bigint | undefined;
  readonly uniqueItems: boolean;
  readonly maxProperties: bigint | undefined;
  readonly minProperties: bigint | undefined;
  readonly enum: readonly JsonValue[];
  readonly required: readonly string[];
  readonly allOf: readonly Schema[];
  readonly anyOf: readonly Schema[];
  readonly oneOf: readonly Schema[];
  readonly not: Schema | undefined;
}

/** An entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  /** From the schema's root. */
  readonly place: FieldPath;
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string;
  readonly fieldPath: string;
  /** Undefined if absent, which the server distinguishes from false. */
  readonly optionalOldSelf: boolean | undefined;
}

/** The schema in `additionalProperties`; undefined if that is a boolean. */
export function additionalSchema({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** Fields of every resource, independent of its schema. */
export const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** The same node as the root of a resource. */
export function asResource(schema: Schema): Schema {
  return schema.embeddedResource ? schema : { ...schema, embeddedResource: true };
}
