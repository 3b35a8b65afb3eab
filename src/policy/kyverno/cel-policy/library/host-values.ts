// The variables for access to external data: `resource`, `http`, `globalContext`, `image`, `generator`, `json`, `yaml`.
import { struct, type Type } from '../../../../cel/check/type.ts';
import type { Value } from '../../../../cel/value/value.ts';
import { OpaqueValue } from '../../../../cel/value/value.ts';
import type { JsonObject } from '../../../../source/json/json.ts';
import type { CelSources } from '../sources.ts';

/** Variable names with their types. */
export const HOST_VARIABLES: ReadonlyMap<string, Type> = new Map([
  ['resource', struct('resource.Context')],
  ['http', struct('http.Context')],
  ['globalContext', struct('globalcontext.Context')],
  ['image', struct('imagedata.Context')],
  ['generator', struct('generator.Context')],
  ['json', struct('json.Json')],
  ['yaml', struct('yaml.Yaml')],
]);

export class HostValue extends OpaqueValue {
  readonly type: Type;
  readonly sources: CelSources;
  /** Receives the objects of `generator.Apply`. `namespace` is empty for cluster-scoped objects. */
  readonly generate: (namespace: string, objects: readonly JsonObject[]) => void;

  constructor(name: string, sources: CelSources, generate: HostValue['generate'] = () => {}) {
    super();
    this.type = HOST_VARIABLES.get(name) as Type;
    this.sources = sources;
    this.generate = generate;
  }

  override equals(other: Value): boolean {
    return this === other;
  }
}
