// `resource.Get`, `globalContext.Get`, `http.Get`, `image.GetMetadata`, `generator.Apply` and related functions (Kyverno sdk `cel/libs`).
import { struct, type Type } from '../../../../cel/check/type.ts';
import type { FunctionDeclaration, Library } from '../../../../cel/declaration/library.ts';
import { ErrorValue, OpaqueValue, type Value } from '../../../../cel/value/value.ts';
import { declarationsOf, type FunctionRow } from '../../../../kubernetes/cel/library/declaration.ts';
import type { JsonObject } from '../../../../source/json/json.ts';
import type { HostValue } from './host-values.ts';

const GVR_TYPE: Type = struct('schema.GroupVersionResource');
const RESULT = 'map(string, google.protobuf.Any)';
const LABELS = 'map(string, string)';
const DATA = 'map(string, google.protobuf.Any)';

class ResourceName extends OpaqueValue {
  readonly type = GVR_TYPE;
  readonly apiVersion: string;
  readonly resource: string;

  constructor(apiVersion: string, resource: string) {
    super();
    this.apiVersion = apiVersion;
    this.resource = resource;
  }

  override equals(other: Value): boolean {
    return other instanceof ResourceName && other.apiVersion === this.apiVersion && other.resource === this.resource;
  }
}

type Labels = ReadonlyMap<string, string>;

function get(host: HostValue, apiVersion: string, resource: string, namespace: string, name: string): Value {
  const found = host.sources.resource(apiVersion, resource, namespace, name);
  return found instanceof ErrorValue ? new ErrorValue(`failed to get resource: ${found.message}`) : (found ?? null);
}

function list(host: HostValue, apiVersion: string, resource: string, namespace: string, labels?: Labels): Value {
  const found = host.sources.resources(apiVersion, resource, namespace, labels);
  if (found instanceof ErrorValue) return new ErrorValue(`failed to list resource: ${found.message}`);
  return new Map<string, Value>([['items', found as readonly Value[]]]);
}

function toGvr({ sources }: HostValue, apiVersion: string, kind: string): Value {
  const resource = sources.resourceOfKind(apiVersion, kind);
  if (resource instanceof ErrorValue) return new ErrorValue(`failed to map kind to resource: ${resource.message}`);
  return new ResourceName(apiVersion, resource);
}

function post({ sources }: HostValue): never {
  return sources.unforeseeable('the response to a posted resource');
}

/** A function under its Go-style name and its CEL-style name. */
function both(
  name: string,
  id: string,
  receiver: string,
  args: string,
  result: string,
  evaluate: FunctionRow[4],
): readonly FunctionRow[] {
  const camel = `${name[0]?.toLowerCase()}${name.slice(1)}`;
  return [
    [name, `${id}_pascal`, `${receiver}.${name}(${args}) -> ${result}`, 'unit', evaluate],
    [camel, `${id}_camel`, `${receiver}.${camel}(${args}) -> ${result}`, 'unit', evaluate],
  ];
}

function resourceRows(namespace: string): readonly FunctionRow[] {
  const own = (
    id: string,
    name: string,
    args: string,
    evaluate: FunctionRow[4],
    result = RESULT,
  ): readonly FunctionRow[] => both(name, id, 'resource.Context', args, result, evaluate);
  const gvr = (id: string, args: string) =>
    own(id, 'ToGVR', args, toGvr, GVR_TYPE.name).map(
      ([name, overload, signature, price, evaluate]): FunctionRow => [
        name === 'toGVR' ? name : 'ToGVR',
        overload,
        signature,
        price,
        evaluate,
      ],
    );
  if (namespace !== '') {
    return [
      ...own('resource_list_string_string', 'List', 'string, string', (h: HostValue, v: string, r: string) =>
        list(h, v, r, namespace),
      ),
      ...own(
        'resource_list_string_string_map',
        'List',
        `string, string, ${LABELS}`,
        (h: HostValue, v: string, r: string, l: Labels) => list(h, v, r, namespace, l),
      ),
      ...own('list_resources_gvr', 'List', GVR_TYPE.name, (h: HostValue, g: ResourceName) =>
        list(h, g.apiVersion, g.resource, namespace),
      ),
      ...own(
        'list_resources_gvr_map',
        'List',
        `${GVR_TYPE.name}, ${LABELS}`,
        (h: HostValue, g: ResourceName, l: Labels) => list(h, g.apiVersion, g.resource, namespace, l),
      ),
      ...own(
        'resource_get_string_string_string',
        'Get',
        'string, string, string',
        (h: HostValue, v: string, r: string, n: string) => get(h, v, r, namespace, n),
      ),
      ...own('resource_get_gvr_string', 'Get', `${GVR_TYPE.name}, string`, (h: HostValue, g: ResourceName, n: string) =>
        get(h, g.apiVersion, g.resource, namespace, n),
      ),
      ...own('resource_post_string_string_map', 'Post', `string, string, ${DATA}`, post),
      ...gvr('convert_to_gvr_string_string', 'string, string'),
    ];
  }
  return [
    ...own(
      'resource_list_string_string_string',
      'List',
      'string, string, string',
      (h: HostValue, v: string, r: string, n: string) => list(h, v, r, n),
    ),
    ...own(
      'resource_list_string_string_string_map',
      'List',
      `string, string, string, ${LABELS}`,
      (h: HostValue, v: string, r: string, n: string, l: Labels) => list(h, v, r, n, l),
    ),
    ...own(
      'list_resources_gvr_string',
      'List',
      `${GVR_TYPE.name}, string`,
      (h: HostValue, g: ResourceName, ns: string) => list(h, g.apiVersion, g.resource, ns),
    ),
    ...own(
      'list_resources_gvr_string_map',
      'List',
      `${GVR_TYPE.name}, string, ${LABELS}`,
      (h: HostValue, g: ResourceName, ns: string, l: Labels) => list(h, g.apiVersion, g.resource, ns, l),
    ),
    ...own('resource_get_string_string_string_string', 'Get', 'string, string, string, string', get),
    ...own(
      'resource_get_gvr_string_string',
      'Get',
      `${GVR_TYPE.name}, string, string`,
      (h: HostValue, g: ResourceName, ns: string, n: string) => get(h, g.apiVersion, g.resource, ns, n),
    ),
    ...own('resource_post_string_string_string_map', 'Post', `string, string, string, ${DATA}`, post),
    ...own('resource_post_string_string_map', 'Post', `string, string, ${DATA}`, post),
    ...gvr('convert_to_gvr_string_string', 'string, string'),
  ];
}

function reference(namespace: string): (host: HostValue, name: string, projection: string) => Value {
  return ({ sources }, name, projection) => {
    const found =
      namespace === ''
        ? sources.globalReference(name, projection)
        : new ErrorValue('globalContext.* is not allowed in namespaced policies');
    return found instanceof ErrorValue ? new ErrorValue(`failed to get global reference: ${found.message}`) : found;
  };
}

function request(method: 'GET' | 'POST') {
  return ({ sources }: HostValue, url: string): Value => {
    const answer = sources.http(method, url);
    return answer instanceof ErrorValue ? new ErrorValue(`request failed: ${answer.message}`) : answer;
  };
}

function httpRows(): readonly FunctionRow[] {
  const own = (
    name: string,
    id: string,
    args: string,
    result: string,
    evaluate: FunctionRow[4],
  ): readonly FunctionRow[] => both(name, id, 'http.Context', args, result, evaluate);
  const any = 'google.protobuf.Any';
  return [
    ...own('Get', 'http_get_string', 'string', any, request('GET')),
    ...own('Get', 'http_get_string_headers', `string, ${LABELS}`, any, request('GET')),
    ...own('Post', 'http_post_string_any', `string, ${any}`, any, request('POST')),
    ...own('Post', 'http_post_string_any_headers', `string, ${any}, ${LABELS}`, any, request('POST')),
    ...own('Client', 'http_client_string', 'string', 'http.Context', (host: HostValue) => host),
  ];
}

function metadata({ sources }: HostValue, image: string): Value {
  const data = sources.imageData(image);
  return data instanceof ErrorValue ? new ErrorValue(`failed to get image data: ${data.message}`) : data;
}

function generatorRows(namespace: string): readonly FunctionRow[] {
  const objects = `list(${DATA})`;
  const apply = (host: HostValue, ns: string, list: readonly JsonObject[]): Value => {
    const isMisfit = list.some((object) => !(object instanceof Map));
    if (isMisfit) return new ErrorValue('invalid arg 2: unsupported type conversion');
    host.generate(ns, list);
    return true;
  };
  if (namespace === '') {
    return both('Apply', 'generator_apply_string_list', 'generator.Context', `string, ${objects}`, 'bool', apply);
  }
  return both(
    'Apply',
    'generator_apply_list',
    'generator.Context',
    objects,
    'bool',
    (host: HostValue, list: readonly JsonObject[]) => apply(host, namespace, list),
  );
}

/** `namespace`: the policy's; empty for cluster policies, which pass the namespace as an argument. */
export function clusterLibrary(namespace: string, hasGenerator: boolean): Library {
  const functions: readonly FunctionDeclaration[] = declarationsOf([
    ...both(
      'Get',
      'globalcontext_get_string',
      'globalcontext.Context',
      'string',
      'dyn',
      (host: HostValue, name: string) => reference(namespace)(host, name, ''),
    ),
    ...both(
      'Get',
      'globalcontext_get_string_string',
      'globalcontext.Context',
      'string, string',
      'dyn',
      reference(namespace),
    ),
    ...resourceRows(namespace),
    ...both('GetMetadata', 'imagedata_get_string', 'imagedata.Context', 'string', 'dyn', metadata),
    ...httpRows(),
    ...(hasGenerator ? generatorRows(namespace) : []),
  ]);
  return { name: 'kyverno.cluster', functions };
}
