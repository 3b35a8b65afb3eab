// The rules of a schema as a tree (apiextensions `schema/cel/validation.go: NewValidator`).
import type { Type } from '../../../cel/check/type.ts';
import { DeclaredTypes } from '../../cel/declared-types.ts';
import { escapeFieldName } from '../../cel/field-name.ts';
import { declareSchema } from '../../cel/schema-types.ts';
import { additionalSchema, type Schema } from '../schema/schema.ts';
import type { CompiledRule, RuleCompiler } from './compiled-rule.ts';
import { withTypeAndObjectMeta } from './resource-schema.ts';

/** A schema node with rules at or below it. */
export interface RuleNode {
  readonly schema: Schema;
  /** The schema that defines the type of `self`. */
  readonly selfSchema: Schema;
  readonly items: RuleNode | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly additionalProperties: RuleNode | undefined;
  readonly allOf: readonly RuleNode[];
  /** Compiled on demand; undefined if the node has no CEL type. */
  rules(): readonly CompiledRule[] | undefined;
}

/** Undefined for a schema without rules. As upstream, rules under `allOf` have no effect unless the schema also has rules elsewhere. */
export function ruleTree(schema: Schema, isResourceRoot: boolean, compiler: RuleCompiler): RuleNode | undefined {
  if (!hasRules(schema)) return undefined;
  const types = new DeclaredTypes();
  const type = declareSchema(types, SELF_TYPE, schema, isResourceRoot);
  return new TreeBuilder(compiler, types).build(schema, schema, isResourceRoot, type, SELF_TYPE);
}

/** Upstream appends digits to prevent a dependency on the name. */
const SELF_TYPE = 'selfType';

function hasRules(schema: Schema): boolean {
  const { rules, items, properties } = schema;
  if (rules.length > 0 || (items !== undefined && hasRules(items))) return true;
  const additional = additionalSchema(schema);
  return (additional !== undefined && hasRules(additional)) || [...(properties?.values() ?? [])].some(hasRules);
}

class TreeBuilder {
  readonly #compiler: RuleCompiler;
  readonly #types: DeclaredTypes;

  constructor(compiler: RuleCompiler, types: DeclaredTypes) {
    this.#compiler = compiler;
    this.#types = types;
  }

  /** `source` holds the rules; it is the schema itself or a schema under its `allOf`. */
  build(
    source: Schema,
    schema: Schema,
    isResourceRoot: boolean,
    type: Type | undefined,
    name: string,
  ): RuleNode | undefined {
    const elementType = type?.kind === 'list' || type?.kind === 'map' ? type.parameters.at(-1) : undefined;
    const additional = additionalSchema(schema);
    const additionalSource = additionalSchema(source);
    const node = {
      items:
        source.items &&
        schema.items &&
        this.build(source.items, schema.items, schema.items.embeddedResource, elementType, `${name}.@idx`),
      properties: this.#properties(source, schema, type, name),
      additionalProperties:
        additionalSource &&
        additional &&
        this.build(additionalSource, additional, additional.embeddedResource, elementType, `${name}.@elem`),
      allOf: source.values.allOf
        .map((nested) => this.build(nested, schema, isResourceRoot, type, name))
        .filter((built) => built !== undefined),
    };
    const { items, properties, additionalProperties, allOf } = node;
    const leadsOn = items !== undefined || additionalProperties !== undefined || properties.size > 0;
    if (source.rules.length === 0 && !leadsOn && allOf.length === 0) return undefined;
    const selfSchema = isResourceRoot ? withTypeAndObjectMeta(schema) : schema;
    return { ...node, schema, selfSchema, rules: this.#compiled(source, schema, type) };
  }

  #properties(source: Schema, schema: Schema, type: Type | undefined, name: string): ReadonlyMap<string, RuleNode> {
    const nodes = new Map<string, RuleNode>();
    for (const [key, property] of source.properties ?? []) {
      const own = schema.properties?.get(key);
      if (own === undefined) continue;
      const escaped = escapeFieldName(key);
      const path = `${name}.${escaped ?? key}`;
      const fieldType =
        escaped === undefined
          ? declareSchema(this.#types, path, own, own.embeddedResource)
          : type && this.#types.findField(type, escaped);
      // Skip the rules of fields that CEL cannot access.
      const node = fieldType && this.build(property, own, own.embeddedResource, fieldType, path);
      if (node !== undefined) nodes.set(key, node);
    }
    return nodes;
  }

  #compiled(source: Schema, schema: Schema, type: Type | undefined): RuleNode['rules'] {
    let compiled: readonly CompiledRule[] | undefined;
    return () => {
      if (source.rules.length === 0) return [];
      if (type === undefined) return undefined;
      compiled ??= source.rules.map((rule) => this.#compiler.compile(rule, schema, type, this.#types));
      return compiled;
    };
  }
}
