// Input and output of Kyverno's CLI for one policy and one object.
import { RegexCache } from '../../../go/regexp/regex-cache.ts';
import type { KubernetesVersion } from '../../../kubernetes/api/version.ts';
import { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import { BuiltinMergeTypes } from '../../../kubernetes/patch/builtin-merge-type.ts';
import { builtinResources } from '../../../kubernetes/schema/resources.ts';
import { SchemaCatalog } from '../../../kubernetes/schema/schema-catalog.ts';
import type { JsonObject, JsonValue } from '../../../source/json/json.ts';
import { OR_VALUE_LIBRARY } from '../cel/or-value-library.ts';
import { KyvernoEnvironments } from '../cel-policy/kyverno-environment.ts';
import { KyvernoDefinitions } from '../definition/definitions.ts';
import type { SearchEnvironment } from '../jmespath/search-environment.ts';
import { QueryCache } from '../variables/query-cache.ts';

/** Numbers keep their written type: integer or double. */
export interface PolicyQuestion {
  readonly policy: JsonObject;
  readonly resource: JsonValue;
  /** values, userInfo, exceptions, clusterResources, params, targets, apiCallResponses, globalContextEntries, operation. */
  readonly context: JsonObject;
  /** `admission`, where numbers are doubles, or the CLI. */
  readonly engine: string;
  /** Bindings of the API server's own policies. */
  readonly extraDocs: readonly JsonValue[];
}

export interface RuleAnswer {
  readonly rule: string;
  readonly type: string;
  readonly status: string;
  readonly message: string;
  /** The patched object, if the rule patches an object other than the tested one. */
  readonly patchedTarget?: JsonObject;
  /** Objects that the rule generates. */
  readonly generated?: readonly JsonObject[];
}

export interface PolicyAnswer {
  readonly outcome: string;
  readonly results: readonly RuleAnswer[];
  readonly patched?: JsonValue;
  readonly refused?: string;
  readonly applyError?: string;
  /** Whether the request is denied, and the message. */
  readonly blocked?: boolean;
  readonly denialText?: string;
}

/** Minor release of the built-in kinds in Kyverno's CLI. */
const KNOWN_MINOR = 32;

/** Shared by all questions of a run. */
export class SuiteTools {
  /** Compiled policies, by policy text. */
  readonly compiled = new Map<string, unknown>();
  readonly queries = new QueryCache();
  readonly builtin = builtinResources(KNOWN_MINOR);
  readonly catalog = new SchemaCatalog(KNOWN_MINOR);
  readonly mergeTypes = new BuiltinMergeTypes();
  readonly search: SearchEnvironment = {
    regexes: new RegexCache(),
    defaultRegistry: 'docker.io',
    enableDefaultRegistryMutation: true,
  };
  readonly definitions: KyvernoDefinitions;
  readonly environments: KyvernoEnvironments;
  readonly admissionEnvironments: AdmissionEnvironments;

  constructor(version: KubernetesVersion) {
    this.definitions = new KyvernoDefinitions(version);
    this.environments = new KyvernoEnvironments(version);
    this.admissionEnvironments = new AdmissionEnvironments(version, [OR_VALUE_LIBRARY]);
  }
}
