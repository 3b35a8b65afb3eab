// Answers a recorded line about type checking: from a policy to the warnings that a server with the recorded schemas writes into its status.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DYN } from '../../src/cel/check/type.ts';
import {
  formatApiVersion,
  type GroupVersionKind,
  kindKey,
  recurringKind,
} from '../../src/kubernetes/api/group-version.ts';
import { Resource } from '../../src/kubernetes/api/resource.ts';
import { DEFAULT_VERSION, parseKubernetesVersion } from '../../src/kubernetes/api/version.ts';
import { AdmissionEnvironments } from '../../src/kubernetes/cel/admission-environment.ts';
import { DeclaredTypes } from '../../src/kubernetes/cel/declared-types.ts';
import { OpenApiSchema } from '../../src/kubernetes/cel/openapi-schema.ts';
import type { TypedKinds } from '../../src/kubernetes/cel/published-kinds.ts';
import { declareSchema } from '../../src/kubernetes/cel/schema-types.ts';
import { BuiltinResources } from '../../src/kubernetes/schema/resources.ts';
import { TypeChecker } from '../../src/policy/admission/validating/type-checking.ts';
import { readValidatingPolicy } from '../../src/policy/admission/validating/validating-policy.ts';
import type { TypeWarning } from '../../src/policy/language/policy-facts.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../src/source/json/json-field.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';

export interface TypeCheckAnswer {
  readonly id: string;
  readonly expressionWarnings: readonly TypeWarning[];
}

/** The kinds of OpenAPI documents that have a resource. */
export class OpenApiKinds {
  readonly #schemas = new Map<string, OpenApiSchema>();

  /** Keyed by apiVersion. */
  constructor(documents: ReadonlyMap<string, JsonObject>) {
    for (const [apiVersion, document] of documents) {
      const components = objectOrEmpty(objectOrEmpty(document.get('components')).get('schemas'));
      for (const schema of components.values()) this.#add(apiVersion, components, objectOrEmpty(schema));
    }
  }

  kinds(): TypedKinds {
    const types = new DeclaredTypes();
    let declared = 0;
    return {
      types,
      kindsFor: ({ group, version, resource }) =>
        RESOURCES.filter(
          (known) =>
            (group === '' || known.group === group) &&
            (version === '' || known.version === version) &&
            [known.resource, known.singular].includes(resource.toLowerCase()) &&
            this.#schemas.has(kindKey(known)),
        ),
      declare: (kind) => {
        const schema = this.#schemas.get(kindKey(kind));
        declared += 1;
        return schema && (declareSchema(types, `${kind.kind}${FIRST_NUMBER + declared}`, schema, true) ?? DYN);
      },
    };
  }

  #add(apiVersion: string, components: JsonObject, schema: JsonObject): void {
    for (const entry of objectItems(schema.get('x-kubernetes-group-version-kind'))) {
      const [group, version, kind] = ['group', 'version', 'kind'].map((name) => textField(entry, name));
      const gvk = { group, version, kind } as GroupVersionKind;
      if (formatApiVersion(gvk.group, gvk.version) !== apiVersion) continue;
      this.#schemas.set(kindKey(gvk), new OpenApiSchema(components, schema));
    }
  }
}

/** The oldest release with a table; the recorded documents are older. */
const RESOURCES = [...new BuiltinResources(28).all()];

/** `api__v1_openapi.json` is v1, `apis__apps__v1_openapi.json` apps/v1. */
export function readOpenApiKinds(folder: string): OpenApiKinds {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('_openapi.json')) : [];
  return new OpenApiKinds(
    new Map(
      files.map((file): [string, JsonObject] => {
        const apiVersion = file
          .replace(/^apis?__/, '')
          .replace(/_openapi\.json$/, '')
          .replace('__', '/');
        return [apiVersion, jsonObject(readFileSync(join(folder, file), 'utf8'))];
      }),
    ),
  );
}

export function answerTypecheck(text: string, openApi: OpenApiKinds): TypeCheckAnswer {
  const [manifest] = readManifests(new SourceFile('line.json', text)).manifests;
  if (manifest === undefined || !isJsonObject(manifest.value)) throw new Error('the line is no JSON object');
  const policy = objectOrEmpty(manifest.value.get('policy'));
  const gvk = recurringKind('admissionregistration.k8s.io', 'v1', 'ValidatingAdmissionPolicy');
  const version = parseKubernetesVersion(textField(manifest.value, 'kubernetes')) ?? DEFAULT_VERSION;
  const checker = new TypeChecker(
    readValidatingPolicy(new Resource(manifest, ['policy'], gvk, policy)),
    openApi.kinds(),
    new AdmissionEnvironments(version),
    version,
  );
  return {
    id: textField(manifest.value, 'id'),
    expressionWarnings: checker.warnings().map(({ fieldRef, warning }) => ({ fieldRef, warning: masked(warning) })),
  };
}

/** Masks generated numbers in type names, as in the recording. */
function masked(warning: string): string {
  return warning.replace(/\b([A-Za-z]+)\d{9}\b/g, (whole, kind: string) =>
    KIND_NAMES.has(kind) ? `${kind}<n>` : whole,
  );
}

/** As long as nanoseconds, so that no name in an expression looks like a generated one. */
const FIRST_NUMBER = 500_000_000;

const KIND_NAMES: ReadonlySet<string> = new Set(RESOURCES.map(({ kind }) => kind));

function jsonObject(text: string): JsonObject {
  const parsed = parseJson(text);
  const value: JsonValue = 'value' in parsed ? parsed.value : null;
  return objectOrEmpty(value);
}
