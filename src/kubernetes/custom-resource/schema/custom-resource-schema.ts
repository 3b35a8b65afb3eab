// The schema of a version of a custom resource in the forms it is used in, or why it cannot be used.
import type { FieldPath } from '../../../source/field-path.ts';
import type { CustomResourceVersion } from '../custom-resource-version.ts';
import type { CustomResourceServer } from '../server.ts';
import { ServerPath } from '../server-path.ts';
import { parseSchema } from './parse-schema.ts';
import { withPrunedDefaults } from './pruned-defaults.ts';
import { additionalSchema, type Schema } from './schema.ts';
import { structuralErrors } from './structural-schema.ts';

export interface CustomResourceSchema {
  /** What values are validated against; undefined if the definition has no schema. */
  readonly values: Schema | undefined;
  /** What objects are pruned, defaulted and given rules by; undefined if nothing is known of their structure. */
  readonly structural: Schema | undefined;
  readonly hasEmbeddedResources: boolean;
}

/** Something the server refuses a definition for. */
export interface DefinitionProblem {
  /** From the definition's root. */
  readonly path: FieldPath;
  readonly message: string;
}

/** At most so many problems of a schema are told. */
const MAX_PROBLEMS = 20;

export function customResourceSchema(
  { schema: json, schemaPath, preserveUnknownFields }: CustomResourceVersion,
  server: CustomResourceServer,
): CustomResourceSchema | { readonly problems: readonly DefinitionProblem[] } {
  const place = placeOf(schemaPath);
  if (json === undefined) {
    if (preserveUnknownFields) return { values: undefined, structural: undefined, hasEmbeddedResources: false };
    return { problems: [{ path: schemaPath, message: server.errors.required(place).message }] };
  }
  const { schema, problems } = parseSchema(json);
  if (problems.length > 0 && !preserveUnknownFields) {
    return {
      problems: problems.slice(0, MAX_PROBLEMS).map(({ path, message }) => ({
        path: [...schemaPath, ...path],
        message: `${placeOf([...schemaPath, ...path])}: ${message}`,
      })),
    };
  }
  const errors = structuralErrors(schema, place, server.errors, server.patternError);
  if (errors.length > 0 && !preserveUnknownFields) return { problems: errors.slice(0, MAX_PROBLEMS) };
  const isStructural = problems.length === 0;
  const structural = preserveUnknownFields ? schema : withPrunedDefaults(schema, server.metadata, server.errors);
  return {
    values: schema,
    structural: isStructural ? structural : undefined,
    hasEmbeddedResources: isStructural && hasEmbeddedResource(schema),
  };
}

function placeOf(path: FieldPath): ServerPath {
  return path.reduce<ServerPath>(
    (place, step) => (typeof step === 'number' ? place.index(step) : place.child(step)),
    ServerPath.root,
  );
}

function hasEmbeddedResource(schema: Schema): boolean {
  if (schema.embeddedResource) return true;
  const inner = [...(schema.properties?.values() ?? []), additionalSchema(schema), schema.items];
  return inner.some((nested) => nested !== undefined && hasEmbeddedResource(nested));
}
