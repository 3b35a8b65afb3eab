// A schema of a definition under validation, with the context of its enclosing schemas.
import type { JsonObject } from '../../../source/json/json.ts';
import type { Schema } from '../schema/schema.ts';
import type { ServerPath } from '../server-path.ts';
import type { RulePlace } from './rule-cardinality.ts';

/** The JSON source and the parsed schema. */
export interface WrittenSchema {
  readonly json: JsonObject;
  readonly schema: Schema;
}

/** Properties that a schema inherits from the enclosing schemas. */
export interface SchemaContext {
  readonly isRoot: boolean;
  /** Within apiVersion, kind or metadata of a resource. */
  readonly isMeta: boolean;
  /** Why defaults are forbidden; undefined if they are allowed. */
  readonly defaultsForbidden: string | undefined;
  /** The outermost enclosing schema whose elements cannot be matched between updates. */
  readonly uncorrelated: ServerPath | undefined;
  /** Undefined if rules are not checked. */
  readonly place: RulePlace | undefined;
}
