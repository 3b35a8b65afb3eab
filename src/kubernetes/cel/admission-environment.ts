// The CEL environments of admission policies: the base of a release, with the declared variables (apiserver `plugin/cel/compile.go`).
import { DYN, struct, type Type } from '../../cel/check/type.ts';
import type { TypeProvider } from '../../cel/check/type-provider.ts';
import type { Library } from '../../cel/declaration/library.ts';
import type { Environment, Variable } from '../../cel/environment.ts';
import type { KubernetesVersion } from '../api/version.ts';
import { ADMISSION_REQUEST, ADMISSION_TYPES, NAMESPACE } from './admission-types.ts';
import { type CallCosts, callCosts } from './cost.ts';
import { type ExpressionMode, kubernetesEnvironment } from './environment.ts';
import { AUTHORIZER_TYPE, RESOURCE_CHECK_TYPE } from './library/authz.ts';
import { JSON_PATCH_LIBRARY } from './library/json-patch.ts';
import { MUTATION_TYPES } from './mutation-types.ts';

/** Optional declarations, besides `object`, `oldObject`, `request` and `namespaceObject`. */
export interface AdmissionDeclarations {
  readonly mode: ExpressionMode;
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** Declares `Object{}`, `JSONPatch{}` and `jsonpatch.escapeKey`, for mutations. */
  readonly hasPatchTypes?: boolean;
  /** Provides the type `kubernetes.variables`; absent: `variables` is not declared. */
  readonly variables?: TypeProvider | undefined;
}

/** Declarations of the API server's type checker: types instead of `dyn`, and no `authorizer.requestResource`. */
export interface TypedDeclarations {
  /** Type of `object` and `oldObject`. */
  readonly object: Type;
  /** Undefined: not declared. */
  readonly params: Type | undefined;
  /** Providers of these types and of `variables`, in lookup order. */
  readonly types: readonly TypeProvider[];
}

/** An environment with the call costs of its programs. */
export interface AdmissionContext {
  readonly environment: Environment;
  readonly costs: CallCosts;
}

const VARIABLES: Variable = { name: 'variables', type: struct('kubernetes.variables') };

/** Environments of one release, each built once; keep it for one run. */
export class AdmissionEnvironments {
  readonly #version: KubernetesVersion;
  readonly #libraries: readonly Library[];
  readonly #costs: CallCosts;
  readonly #bases = new Map<ExpressionMode, Environment>();
  readonly #environments = new Map<string, Environment>();

  /** `libraries`: in addition to those of Kubernetes. */
  constructor(version: KubernetesVersion, libraries: readonly Library[] = []) {
    this.#version = version;
    this.#libraries = libraries;
    this.#costs = callCosts(version);
  }

  context(declarations: AdmissionDeclarations): AdmissionContext {
    const { mode, hasParams, hasAuthorizer, hasPatchTypes = false, variables } = declarations;
    const key = [mode, hasParams, hasAuthorizer, hasPatchTypes].join();
    let environment = this.#environments.get(key);
    if (environment === undefined) {
      environment = this.#base(mode).extend(extensionFor(hasParams, hasAuthorizer));
      if (hasPatchTypes) environment = environment.extend({ types: [MUTATION_TYPES], libraries: [JSON_PATCH_LIBRARY] });
      this.#environments.set(key, environment);
    }
    if (variables !== undefined) environment = environment.extend({ variables: [VARIABLES], types: [variables] });
    return { environment, costs: this.#costs };
  }

  /** For stored expressions (apiserver `validating/typechecking.go: buildEnvSet`). */
  forTypeChecking({ object, params, types }: TypedDeclarations): Environment {
    const variables: Variable[] = [
      { name: 'object', type: object },
      { name: 'oldObject', type: object },
      { name: 'namespaceObject', type: NAMESPACE },
      { name: 'request', type: ADMISSION_REQUEST },
      { name: 'authorizer', type: AUTHORIZER_TYPE },
      VARIABLES,
    ];
    if (params !== undefined) variables.push({ name: 'params', type: params });
    return this.#base('stored').extend({ variables, types: [...types, ADMISSION_TYPES] });
  }

  #base(mode: ExpressionMode): Environment {
    let base = this.#bases.get(mode);
    if (base !== undefined) return base;
    base = kubernetesEnvironment(this.#version, mode);
    if (this.#libraries.length > 0) base = base.extend({ libraries: this.#libraries });
    this.#bases.set(mode, base);
    return base;
  }
}

function extensionFor(hasParams: boolean, hasAuthorizer: boolean): Parameters<Environment['extend']>[0] {
  const variables: Variable[] = [
    { name: 'object', type: DYN },
    { name: 'oldObject', type: DYN },
    { name: 'namespaceObject', type: NAMESPACE },
    { name: 'request', type: ADMISSION_REQUEST },
  ];
  if (hasParams) variables.push({ name: 'params', type: DYN });
  if (hasAuthorizer) {
    variables.push(
      { name: 'authorizer', type: AUTHORIZER_TYPE },
      { name: 'authorizer.requestResource', type: RESOURCE_CHECK_TYPE },
    );
  }
  return { variables, types: [ADMISSION_TYPES] };
}
