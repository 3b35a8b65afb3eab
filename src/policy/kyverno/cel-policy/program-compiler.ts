// Compiles the expressions of one policy. Failures become field errors with Kyverno's text (Kyverno `pkg/cel/compiler/compiler.go`).
import type { CheckedAst } from '../../../cel/check/checked-ast.ts';
import { BOOL, DYN, NULL, STRING, type Type } from '../../../cel/check/type.ts';
import type { TypeProvider } from '../../../cel/check/type-provider.ts';
import type { Environment } from '../../../cel/environment.ts';
import { plan } from '../../../cel/eval/plan.ts';
import { type Program, ProgramError } from '../../../cel/eval/program.ts';
import { displayIssues } from '../../../cel/issue/display-issues.ts';
import { append } from '../../../go/slices/append.ts';
import { type FieldError, invalid } from '../../../kubernetes/validation/field-error.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { objectItems, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { CompileFailure } from './cel-refusal.ts';
import { KYVERNO_VARIABLES, type KyvernoDeclarations, type KyvernoEnvironments } from './kyverno-environment.ts';

export interface CelProgram {
  readonly path: FieldPath;
  /** The text as it runs, possibly rewritten for controllers. */
  readonly text: string;
  /** Key of the exception that contains this condition. */
  readonly exception?: string;
  readonly program: Program;
  readonly ast: CheckedAst;
}

export interface CelValidation {
  readonly program: CelProgram;
  readonly message: string;
  readonly messageExpression: CelProgram | undefined;
}

/** `PerCallLimit` of the API server's base environment. */
const PER_CALL_LIMIT = 1_000_000;

/** For one policy. Variables are visible to everything compiled after them. */
export class ProgramCompiler {
  readonly variables = new Map<string, CelProgram>();
  readonly #environment: Environment;
  readonly #environments: KyvernoEnvironments;
  readonly #costs: KyvernoEnvironments['costs'];

  constructor(environments: KyvernoEnvironments, declarations: KyvernoDeclarations) {
    const types = new Map<string, Type>();
    const provider: TypeProvider = {
      findStruct: (name) => (name === KYVERNO_VARIABLES.name ? KYVERNO_VARIABLES : undefined),
      findField: (_type, field) => types.get(field),
      fieldNames: () => [...types.keys()],
    };
    this.#environment = environments.environment(declarations, provider);
    this.#environments = environments;
    this.#costs = environments.costs;
    this.#types = types;
  }

  readonly #types: Map<string, Type>;

  compileVariables(spec: JsonObject): void {
    for (const [index, variable] of objectItems(spec.get('variables')).entries()) {
      const name = textField(variable, 'name');
      const path = ['spec', 'variables', index, 'expression'];
      const text = textField(variable, 'expression');
      const ast = this.#check(text, path);
      this.#types.set(name, ast.outputType);
      this.variables.set(name, this.#plan(text, ast, path));
    }
  }

  /** Reports all conditions that do not compile, not only the first. */
  matchConditions(conditions: readonly JsonObject[], field = 'matchConditions'): readonly CelProgram[] {
    const errors: FieldError[] = [];
    const programs: CelProgram[] = [];
    for (const [index, condition] of conditions.entries()) {
      try {
        programs.push(this.compile(textField(condition, 'expression'), [BOOL], ['spec', field, index, 'expression']));
      } catch (failure) {
        if (!(failure instanceof CompileFailure)) throw failure;
        append(errors, failure.errors);
      }
    }
    if (errors.length > 0) throw new CompileFailure(errors);
    return programs;
  }

  validations(spec: JsonObject): readonly CelValidation[] {
    return objectItems(spec.get('validations')).map((validation, index) => {
      const path = ['spec', 'validations', index];
      const messageExpression = textField(validation, 'messageExpression');
      return {
        program: this.compile(textField(validation, 'expression'), [BOOL], [...path, 'expression']),
        message: textField(validation, 'message'),
        messageExpression:
          messageExpression === ''
            ? undefined
            : this.compile(messageExpression, [STRING], [...path, 'messageExpression']),
      };
    });
  }

  auditAnnotations(spec: JsonObject): ReadonlyMap<string, CelProgram> {
    const compiled = new Map<string, CelProgram>();
    for (const [index, annotation] of objectItems(spec.get('auditAnnotations')).entries()) {
      const path = ['spec', 'auditAnnotations', index, 'valueExpression'];
      const text = textField(annotation, 'valueExpression');
      const expected = 'output is expected to be either of type string or null_type';
      compiled.set(textField(annotation, 'key'), this.compile(text, [STRING, NULL], path, expected));
    }
    return compiled;
  }

  /** `types`: the exact static types allowed. Empty allows any. */
  compile(text: string, types: readonly Type[], path: FieldPath, expected?: string): CelProgram {
    const ast = this.#check(text, path);
    if (types.length > 0 && !types.some((type) => type.equals(ast.outputType))) {
      const wanted = expected ?? `output is expected to be of type ${(types[0] ?? DYN).name}`;
      throw new CompileFailure([invalid(path, text, wanted)]);
    }
    return this.#plan(text, ast, path);
  }

  /** Compiles an expression about an image reference, `ref`. */
  compileReference(text: string, path: FieldPath): CelProgram {
    const environment = this.#environments.referenceEnvironment();
    const ast = this.#check(text, path, environment);
    if (!BOOL.equals(ast.outputType)) {
      throw new CompileFailure([invalid(path, text, `output is expected to be of type ${BOOL.name}`)]);
    }
    return this.#plan(text, ast, path, environment);
  }

  #check(text: string, path: FieldPath, environment = this.#environment): CheckedAst {
    const { ast, issues } = environment.compile(text);
    if (ast === undefined) throw new CompileFailure([invalid(path, text, displayIssues(text, issues))]);
    return ast;
  }

  #plan(text: string, ast: CheckedAst, path: FieldPath, environment = this.#environment): CelProgram {
    const program = plan(environment, ast, { ...this.#costs, costLimit: PER_CALL_LIMIT });
    if (program instanceof ProgramError) throw new CompileFailure([invalid(path, text, program.message)]);
    return { path, text, program, ast };
  }
}
