// The CEL environments of Kyverno's policies: Kubernetes' environment plus more cel-go and Kyverno libraries (Kyverno `pkg/cel/compiler/env.go`).
import { DYN, listOf, mapOf, STRING, struct, type Type } from '../../../cel/check/type.ts';
import type { TypeProvider } from '../../../cel/check/type-provider.ts';
import { Environment, type EnvironmentOptions, type Variable } from '../../../cel/environment.ts';
import { RegexCache } from '../../../go/regexp/regex-cache.ts';
import type { KubernetesVersion } from '../../../kubernetes/api/version.ts';
import { ADMISSION_REQUEST, ADMISSION_TYPES, NAMESPACE } from '../../../kubernetes/cel/admission-types.ts';
import { type CallCosts, callCosts } from '../../../kubernetes/cel/cost.ts';
import { kubernetesEnvironmentOptions } from '../../../kubernetes/cel/environment.ts';
import { JSON_PATCH_LIBRARY } from '../../../kubernetes/cel/library/json-patch.ts';
import { MUTATION_TYPES } from '../../../kubernetes/cel/mutation-types.ts';
import { OR_VALUE_LIBRARY } from '../cel/or-value-library.ts';
import { BINDINGS_LIBRARY } from './library/bindings.ts';
import { clusterLibrary } from './library/cluster.ts';
import { ENCODERS_LIBRARY } from './library/encoders.ts';
import { formatsLibrary } from './library/formats.ts';
import { HASH_LIBRARY } from './library/hash.ts';
import { HOST_VARIABLES } from './library/host-values.ts';
import { IMAGE_LIBRARY } from './library/image.ts';
import { imageVerificationLibrary } from './library/image-verification.ts';
import { MATH_LIBRARY } from './library/math.ts';
import { regexExtensionLibrary } from './library/regex.ts';
import { USER_LIBRARY } from './library/user.ts';
import type { CelSources } from './sources.ts';

export const KYVERNO_VARIABLES: Type = struct('kyverno.variables');
const EXCEPTIONS: Type = struct('libs.Exception');
const EXCEPTION_FIELDS: readonly string[] = ['allowedImages', 'allowedValues'];

export interface KyvernoDeclarations {
  /** Namespace of the policy. Empty for cluster policies. */
  readonly namespace: string;
  /** `Object{}`, `JSONPatch{}` and `jsonpatch.escapeKey`. */
  readonly hasPatchTypes: boolean;
  /** Declares `generator`. Lists and maps may then mix types. */
  readonly hasGenerator: boolean;
  /** Declares `images`, `attestors` and the verification functions. */
  readonly hasImages?: boolean;
}

/** Kyverno 1.19 contains the libraries of this release, on every cluster. */
const LIBRARIES: KubernetesVersion = { major: 1, minor: 36 };

/** Caches the environments of one run, and holds the data source for the current evaluation. */
export class KyvernoEnvironments {
  readonly costs: CallCosts;
  /** Set before each evaluation. */
  sources: CelSources | undefined;
  readonly #environments = new Map<string, Environment>();
  readonly #regexes = new RegexCache();
  #references: Environment | undefined;

  constructor(version: KubernetesVersion) {
    this.costs = callCosts(version);
  }

  /** `variables` provides the type of the policy's variables. */
  environment(declarations: KyvernoDeclarations, variables: TypeProvider): Environment {
    const { namespace, hasPatchTypes, hasGenerator, hasImages = false } = declarations;
    const key = [namespace, hasPatchTypes, hasGenerator, hasImages].join();
    const environment = this.#environments.get(key) ?? new Environment(this.#options(declarations));
    this.#environments.set(key, environment);
    return environment.extend({ types: [variables] });
  }

  /** For expressions that select images. They see only the reference. */
  referenceEnvironment(): Environment {
    const base = kubernetesEnvironmentOptions(LIBRARIES, 'stored', this.#regexes, 30);
    this.#references ??= new Environment({
      ...base,
      libraries: [...base.libraries, BINDINGS_LIBRARY, ENCODERS_LIBRARY, MATH_LIBRARY, IMAGE_LIBRARY],
      variables: [{ name: 'ref', type: STRING }],
      types: [],
    });
    return this.#references;
  }

  #options({ namespace, hasPatchTypes, hasGenerator, hasImages = false }: KyvernoDeclarations): EnvironmentOptions {
    const base = kubernetesEnvironmentOptions(LIBRARIES, 'stored', this.#regexes, 30);
    const sources = (): CelSources => this.sources as CelSources;
    const hosts = [...HOST_VARIABLES].filter(([name]) => hasGenerator || name !== 'generator');
    return {
      ...base,
      // Generated objects have mixed types.
      ...(hasGenerator ? { validators: [] } : {}),
      libraries: [
        ...base.libraries,
        BINDINGS_LIBRARY,
        ENCODERS_LIBRARY,
        MATH_LIBRARY,
        regexExtensionLibrary(this.#regexes),
        OR_VALUE_LIBRARY,
        clusterLibrary(namespace, hasGenerator),
        formatsLibrary(sources),
        HASH_LIBRARY,
        IMAGE_LIBRARY,
        USER_LIBRARY,
        ...(hasPatchTypes ? [JSON_PATCH_LIBRARY] : []),
        ...(hasImages ? [imageVerificationLibrary(sources)] : []),
      ],
      variables: [
        ...VARIABLES,
        ...(hasImages ? IMAGE_VARIABLES : []),
        ...hosts.map(([name, type]): Variable => ({ name, type })),
      ],
      types: [KYVERNO_TYPES, ...(hasPatchTypes ? [MUTATION_TYPES] : []), ADMISSION_TYPES],
    };
  }
}

const VARIABLES: readonly Variable[] = [
  { name: 'object', type: DYN },
  { name: 'oldObject', type: DYN },
  { name: 'namespaceObject', type: NAMESPACE },
  { name: 'request', type: ADMISSION_REQUEST },
  { name: 'variables', type: KYVERNO_VARIABLES },
  { name: 'exceptions', type: EXCEPTIONS },
];

/** For image validating policies. */
const IMAGE_VARIABLES: readonly Variable[] = [
  { name: 'images', type: mapOf(STRING, listOf(STRING)) },
  { name: 'attestors', type: mapOf(STRING, DYN) },
  { name: 'attestations', type: mapOf(STRING, STRING) },
];

/** `request` also contains its objects. */
const REQUEST_OBJECTS: readonly string[] = ['object', 'oldObject'];

const KYVERNO_TYPES: TypeProvider = {
  findStruct: (name) => {
    if (name === EXCEPTIONS.name) return EXCEPTIONS;
    return name === ADMISSION_REQUEST.name ? ADMISSION_REQUEST : undefined;
  },
  findField: (type, field) => {
    if (type.name === EXCEPTIONS.name) return EXCEPTION_FIELDS.includes(field) ? listOf(STRING) : undefined;
    return REQUEST_OBJECTS.includes(field) ? DYN : ADMISSION_TYPES.findField(type, field);
  },
  fieldNames: (type) =>
    type.name === EXCEPTIONS.name
      ? EXCEPTION_FIELDS
      : [...(ADMISSION_TYPES.fieldNames(type) ?? []), ...REQUEST_OBJECTS],
};
