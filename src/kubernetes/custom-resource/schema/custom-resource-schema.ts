// The schema of a custom resource version in its different forms, or the reasons why it is invalid.
import type { CustomResourceVersion } from '../custom-resource-version.ts';
import { definitionErrors } from '../definition/definition-errors.ts';
import type { DefinitionProblem } from '../definition/definition-problem.ts';
import type { CustomResourceServer } from '../server.ts';
import { ServerPath } from '../server-path.ts';
import { parseSchema, type SchemaProblem } from './parse-schema.ts';
import { withPrunedDefaults } from './pruned-defaults.ts';
import { additionalSchema, type Schema } from './schema.ts';
import { storedSchema } from './stored-schema.ts';

export interface CustomResourceSchema {
  /** For validation of values; undefined if the definition has no schema. */
  readonly values: Schema | undefined;
  /** For pruning, defaulting and rules; undefined if the structure of objects is unknown. */
  readonly structural: Schema | undefined;
  readonly hasEmbeddedResources: boolean;
}

/** Maximum number of reported problems of one schema. */
const MAX_PROBLEMS = 20;

export function customResourceSchema(
  { schema: json, schemaPath, schemaName, preserveUnknownFields, hasStatus }: CustomResourceVersion,
  server: CustomResourceServer,
): CustomResourceSchema | { readonly problems: readonly DefinitionProblem[] } {
  const place = ServerPath.named(schemaName, schemaPath);
  if (json === undefined) {
    if (preserveUnknownFields) return { values: undefined, structural: undefined, hasEmbeddedResources: false };
    return { problems: [server.errors.required(place)] };
  }
  const { schema, problems, conversionError } = parseSchema(json);
  const isStructural = problems.length === 0 && conversionError === undefined;
  if (!preserveUnknownFields) {
    const errors =
      problems.length > 0
        ? decodingErrors(problems, place)
        : definitionErrors({ json, schema, conversionError, hasStatus }, place, server);
    if (errors.length > 0) return { problems: errors.slice(0, MAX_PROBLEMS) };
  }
  const values = storedSchema(schema);
  const structural = preserveUnknownFields ? values : withPrunedDefaults(values, server.metadata, server.errors);
  return {
    values,
    structural: isStructural ? structural : undefined,
    hasEmbeddedResources: isStructural && hasEmbeddedResource(schema),
  };
}

/** The server refuses the whole definition, with Go's decoding errors. */
function decodingErrors(problems: readonly SchemaProblem[], place: ServerPath): readonly DefinitionProblem[] {
  return problems.map(({ path, message }) => {
    const below = path.reduce<ServerPath>(
      (parent, step) => (typeof step === 'number' ? parent.index(step) : parent.child(step)),
      place,
    );
    return { path: below.steps, message: `${below}: ${message}` };
  });
}

function hasEmbeddedResource(schema: Schema): boolean {
  if (schema.embeddedResource) return true;
  const inner = [...(schema.properties?.values() ?? []), additionalSchema(schema), schema.items];
  return inner.some((nested) => nested !== undefined && hasEmbeddedResource(nested));
}
