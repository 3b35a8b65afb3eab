// Compiles the rules of custom resources (apiextensions `schema/cel/compilation.go`).
import type { CheckedAst } from '../../../cel/check/checked-ast.ts';
import { BOOL, optionalOf, STRING, type Type } from '../../../cel/check/type.ts';
import type { Environment } from '../../../cel/environment.ts';
import { plan } from '../../../cel/eval/plan.ts';
import { type Program, ProgramError } from '../../../cel/eval/program.ts';
import { displayIssues } from '../../../cel/issue/display-issues.ts';
import type { Issue } from '../../../cel/issue/issue.ts';
import { trimSpace } from '../../../go/strings/trim-space.ts';
import type { KubernetesVersion } from '../../api/version.ts';
import { type CallCosts, ruleCallCosts } from '../../cel/cost.ts';
import type { DeclaredTypes } from '../../cel/declared-types.ts';
import { type ExpressionMode, kubernetesEnvironment } from '../../cel/environment.ts';
import type { Schema, ValidationRule } from '../schema/schema.ts';
import type { ServerPath } from '../server-path.ts';
import { resolveRuleFieldPath } from './rule-field-path.ts';

/** `PerCallLimit`: maximum cost of one evaluation of a rule or its message. */
const CALL_COST_LIMIT = 1_000_000;

export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Undefined for an empty rule, which is skipped. */
  readonly program: Program | undefined;
  /** Why there is no program; the server then refuses the definition. */
  readonly error: string | undefined;
  /** The AST of the program. */
  readonly ast: CheckedAst | undefined;
  readonly usesOldSelf: boolean;
  /** Undefined if the message expression is missing or does not compile; `message` is used then. */
  readonly messageProgram: Program | undefined;
  readonly messageAst: CheckedAst | undefined;
  /** Why the message expression has no program. */
  readonly messageError: string | undefined;
  readonly fieldPath: ServerPath | undefined;
  /** The compilation errors, with their context. */
  readonly slip?: RuleSlip;
}

export interface RuleSlip {
  readonly rule: ValidationRule;
  /** The schema of `self`. */
  readonly schema: Schema;
  readonly issues: readonly Issue[];
  /** The environment of the compilation. */
  readonly environment: Environment;
}

interface RuleFailure {
  readonly error: string;
  /** Set if the expression does not compile. */
  readonly issues?: readonly Issue[];
}

/** The server's messages for an invalid expression. */
interface ExpressionWords {
  readonly prefix: string;
  readonly wrongType: string;
  readonly instantiation: string;
}

const RULE_WORDS: ExpressionWords = {
  prefix: '',
  wrongType: 'cel expression must evaluate to a bool',
  instantiation: 'program instantiation',
};

const MESSAGE_WORDS: ExpressionWords = {
  prefix: 'messageExpression ',
  wrongType: 'messageExpression must evaluate to a string',
  instantiation: 'messageExpression instantiation',
};

/** Compiles the rules of one release; keep it for one run only. */
export class RuleCompiler {
  readonly #version: KubernetesVersion;
  readonly #mode: ExpressionMode;
  #environment: Environment | undefined;
  readonly #costs: CallCosts;

  /** `new`: as the server compiles the rules in a new or changed definition. */
  constructor(version: KubernetesVersion, mode: ExpressionMode) {
    this.#version = version;
    this.#mode = mode;
    this.#costs = ruleCallCosts();
  }

  compile(rule: ValidationRule, schema: Schema, selfType: Type, types: DeclaredTypes): CompiledRule {
    const nothing = {
      rule,
      program: undefined,
      ast: undefined,
      usesOldSelf: false,
      messageProgram: undefined,
      messageAst: undefined,
      messageError: undefined,
      fieldPath: undefined,
    };
    if (trimSpace(rule.rule) === '') return { ...nothing, error: undefined };
    this.#environment ??= kubernetesEnvironment(this.#version, this.#mode);
    const environment = this.#environment.extend({
      types: [types],
      variables: [
        { name: 'self', type: selfType },
        { name: 'oldSelf', type: rule.optionalOldSelf ? optionalOf(selfType) : selfType },
      ],
    });
    const compiled = this.#plan(environment, rule.rule, BOOL, RULE_WORDS);
    if ('error' in compiled) {
      const { error, issues } = compiled;
      return { ...nothing, error, ...(issues && { slip: { rule, schema, issues, environment } }) };
    }
    const message =
      rule.messageExpression === ''
        ? undefined
        : this.#plan(environment, rule.messageExpression, STRING, MESSAGE_WORDS);
    const isMessageUsable = message !== undefined && 'program' in message;
    return {
      rule,
      program: compiled.program,
      error: undefined,
      ast: compiled.ast,
      usesOldSelf: [...compiled.ast.references.values()].some(({ name }) => name === 'oldSelf'),
      messageProgram: isMessageUsable ? message.program : undefined,
      messageAst: isMessageUsable ? message.ast : undefined,
      messageError: message !== undefined && 'error' in message ? message.error : undefined,
      fieldPath: rule.fieldPath === '' ? undefined : resolveRuleFieldPath(rule.fieldPath, schema),
    };
  }

  #plan(
    environment: Environment,
    text: string,
    type: Type,
    words: ExpressionWords,
  ): { readonly program: Program; readonly ast: CheckedAst } | RuleFailure {
    const { ast, issues } = environment.compile(text);
    if (ast === undefined)
      return { error: `${words.prefix}compilation failed: ${displayIssues(text, issues)}`, issues };
    if (!ast.outputType.equals(type)) return { error: words.wrongType };
    const program = plan(environment, ast, { costLimit: CALL_COST_LIMIT, fallibleMembers: true, ...this.#costs });
    if (program instanceof ProgramError) return { error: `${words.instantiation} failed: ${program.message}` };
    return { program, ast };
  }
}
