// The server's validation of rules in a schema: expressions that do not compile or may cost too much (apiextensions `validation/validation.go`).
import type { CheckedAst } from '../../../cel/check/checked-ast.ts';
import { estimateCost } from '../../../cel/estimate/estimate-cost.ts';
import { lesser, MAX_UINT64 } from '../../../cel/estimate/range.ts';
import { formatFixed } from '../../../cel/library/format-number.ts';
import { append } from '../../../go/slices/append.ts';
import type { JsonValue } from '../../../source/json/json.ts';
import { costModel } from '../../cel/cost.ts';
import { DeclaredTypes } from '../../cel/declared-types.ts';
import { declareSchema } from '../../cel/schema-types.ts';
import type { CompiledRule, RuleCompiler } from '../rule/compiled-rule.ts';
import type { ValidationRule } from '../schema/schema.ts';
import type { ServerErrors } from '../server-error.ts';
import type { ServerPath } from '../server-path.ts';
import type { DefinitionProblem } from './definition-problem.ts';
import type { RulePlace } from './rule-cardinality.ts';
import { maxCardinality, type SchemaSize, sizeAtPath, sizeOfSchema } from './schema-sizes.ts';

/** `StaticEstimatedCostLimit` and `StaticEstimatedCRDCostLimit`: per expression, and per definition. */
const EXPRESSION_LIMIT = 10_000_000n;
const DEFINITION_LIMIT = 100_000_000n;
/** Expressions with a smaller share of the limit are not named. */
const NAMED_COST = DEFINITION_LIMIT / 100n;
const MAX_NAMED = 4;

const COST_ADVICE =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

/** Upstream appends digits to prevent a dependency on the name. */
const SELF_TYPE = 'selfType';

/** For one definition, because costs add up. */
export class RuleCheck {
  readonly #compiler: RuleCompiler;
  readonly #errors: ServerErrors;
  #total = 0n;
  #expensive: readonly { readonly path: ServerPath; readonly cost: bigint }[] = [];

  /** The compiler must be in the mode for new expressions. */
  constructor(compiler: RuleCompiler, errors: ServerErrors) {
    this.#compiler = compiler;
    this.#errors = errors;
  }

  /** `uncorrelated`: the outermost enclosing schema whose elements cannot be matched between updates. */
  rulesAt(place: RulePlace, path: ServerPath, uncorrelated: ServerPath | undefined): readonly DefinitionProblem[] {
    const rulesPath = path.child('x-kubernetes-validations');
    const { declared } = place;
    if ('reason' in declared) return [this.#errors.internal(rulesPath, declared.reason)];
    const { schema, isResourceRoot } = declared;
    const size = sizeOfSchema(schema, isResourceRoot);
    const types = new DeclaredTypes();
    const type = declareSchema(types, SELF_TYPE, schema, isResourceRoot);
    // Lists in lists have a lower depth limit here than upstream.
    if (size === undefined || type === undefined) return [];
    return place.schema.rules.flatMap((rule, index) => {
      const compiled = this.#compiler.compile(rule, place.schema, type, types);
      return this.#ruleErrors(
        compiled,
        size,
        place.cardinality ?? maxCardinality(size),
        rulesPath.index(index),
        uncorrelated,
      );
    });
  }

  #ruleErrors(
    compiled: CompiledRule,
    size: SchemaSize,
    cardinality: bigint,
    path: ServerPath,
    uncorrelated: ServerPath | undefined,
  ): readonly DefinitionProblem[] {
    const { rule, error, messageError, messageAst, usesOldSelf, slip } = compiled;
    const rulePath = path.child('rule');
    const messagePath = path.child('messageExpression');
    const cost = lesser(costOf(compiled.ast, size) * cardinality, MAX_UINT64);
    const found: DefinitionProblem[] = [...this.#costErrors('estimated rule cost', cost, rulePath)];
    if (error !== undefined) {
      found.push({ ...this.#errors.invalidStruct(rulePath, ruleValue(rule), error), ...(slip && { slip }) });
    }
    if (messageError !== undefined) {
      found.push(this.#errors.invalidStruct(messagePath, ruleValue(rule), messageError));
    } else if (messageAst !== undefined) {
      append(found, this.#costErrors('estimated messageExpression cost', costOf(messageAst, size), messagePath));
    }
    if (usesOldSelf && uncorrelated !== undefined) {
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
      found.push(this.#errors.invalid(rulePath, rule.rule, detail));
    }
    if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
      const detail = 'may not be set if oldSelf is not used in rule';
      found.push(this.#errors.invalid(path.child('optionalOldSelf'), rule.optionalOldSelf, detail));
    }
    return found;
  }

  #costErrors(name: string, cost: bigint, path: ServerPath): readonly DefinitionProblem[] {
    this.#total = lesser(this.#total + cost, MAX_UINT64);
    if (cost >= NAMED_COST) {
      const expensive = [...this.#expensive, { path, cost }].sort((a, b) => Number(b.cost - a.cost));
      this.#expensive = expensive.slice(0, MAX_NAMED);
    }
    return cost > EXPRESSION_LIMIT ? [this.#errors.forbidden(path, exceeded(name, cost, EXPRESSION_LIMIT))] : [];
  }

  /** Errors of the total cost of all rules. */
  totalErrors(path: ServerPath): readonly DefinitionProblem[] {
    if (this.#total <= DEFINITION_LIMIT) return [];
    const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    const part = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    return [
      ...this.#expensive.map((expensive) => this.#errors.forbidden(expensive.path, part)),
      this.#errors.forbidden(path, exceeded(name, this.#total, DEFINITION_LIMIT)),
    ];
  }
}

function costOf(ast: CheckedAst | undefined, size: SchemaSize): bigint {
  return ast === undefined
    ? 0n
    : estimateCost(
        ast,
        costModel((path) => sizeAtPath(size, path)),
      ).max;
}

function exceeded(name: string, cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit);
  const shown = factor > 100 ? 'more than 100x' : `${formatFixed(factor, factor < 1.5 ? 6 : 1)}x`;
  return `${name} exceeds budget by factor of ${shown} ${COST_ADVICE}`;
}

/** The value as Go formats the struct. */
function ruleValue({
  rule,
  message,
  messageExpression,
  reason,
  fieldPath,
  optionalOldSelf,
}: ValidationRule): JsonValue {
  return new Map<string, JsonValue>([
    ['Rule', rule],
    ['Message', message],
    ['MessageExpression', messageExpression],
    ['Reason', reason === '' ? null : reason],
    ['FieldPath', fieldPath],
    ['OptionalOldSelf', optionalOldSelf ?? null],
  ]);
}
