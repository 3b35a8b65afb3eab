// `json.marshal`, `json.unmarshal`, `yaml.parse`, `gzip.*`, `x509.decode`, `listObjToMap`, `time.*`, `random` (Kyverno sdk `cel/libs`).
import type { Library } from '../../../../cel/declaration/library.ts';
import { isMap } from '../../../../cel/value/equality.ts';
import { Bytes, type Duration, Timestamp } from '../../../../cel/value/scalar.ts';
import { ErrorValue, type ListValue, type MapValue, type Value } from '../../../../cel/value/value.ts';
import { declarationsOf, type FunctionRow } from '../../../../kubernetes/cel/library/declaration.ts';
import { stringifyJson } from '../../../../source/json/json.ts';
import { parseJson } from '../../../../source/json/parse-json.ts';
import { readYaml } from '../../../../source/yaml/yaml-to-json.ts';
import { asDoubles } from '../../jmespath/as-doubles.ts';
import { decodeCertificate } from '../../jmespath/functions/certificates.ts';
import { SearchError } from '../../jmespath/search-error.ts';
import type { CelSources } from '../sources.ts';
import type { HostValue } from './host-values.ts';
import { nativeTypeName, toNativeJson, toNativeText } from './native-values.ts';

function unmarshal(_host: HostValue, value: Value): Value {
  const text = toNativeText(value);
  if (text instanceof ErrorValue) return text;
  const parsed = parseJson(text);
  return 'value' in parsed ? asDoubles(parsed.value) : new ErrorValue(parsed.problem.message);
}

function marshal(_host: HostValue, value: Value): Value {
  const json = toNativeJson(value);
  if (json instanceof ErrorValue) return json;
  return stringifyJson(json, { sortKeys: true, escapeHtml: true });
}

function parseYaml(_host: HostValue, text: string): Value {
  const read = readYaml(text);
  if ('failure' in read) return new ErrorValue(`error converting YAML to JSON: ${read.failure.message}`);
  return asDoubles(read.value);
}

function decode(sources: () => CelSources, text: string): Value {
  try {
    return decodeCertificate(text);
  } catch (problem) {
    if (!(problem instanceof SearchError)) throw problem;
    return problem.kind === 'unknown' ? sources().unforeseeable(problem.message) : new ErrorValue(problem.message);
  }
}

/** Pairs the lists by index: keys from the first, values from the second. */
function listObjToMap(keys: ListValue, values: ListValue, keyName: string, valueName: string): Value {
  if (keys.length !== values.length) {
    const lengths = `list1: ${keys.length}, list2: ${values.length}`;
    return new ErrorValue(`listObjToMap must take lists of equal length. ${lengths}`);
  }
  const map = new Map<string, Value>();
  for (const [index, entry] of keys.entries()) {
    const other = values[index] as Value;
    if (!isMap(entry)) return notAMap(entry);
    const problem = keyProblem(entry);
    if (problem !== undefined) return problem;
    const key = (entry as MapValue).get(keyName as never);
    if (typeof key !== 'string') {
      return new ErrorValue('the passed key name cannot be handled as a string in the key object list');
    }
    if (!isMap(other)) return notAMap(other);
    if (keyProblem(other) !== undefined)
      return new ErrorValue('object cannot be handled as a map string to any in the value object list');
    map.set(key, (other as MapValue).get(valueName as never) ?? null);
  }
  return map;
}

/** Kyverno crashes here, and cel-go makes it an error. */
function notAMap(value: Value): ErrorValue {
  const name = nativeTypeName(value);
  return new ErrorValue(
    `internal error: interface conversion: interface {} is ${name}, not map[interface {}]interface {}`,
  );
}

function keyProblem(map: MapValue): ErrorValue | undefined {
  for (const [key] of map.entries()) {
    if (typeof key !== 'string') return new ErrorValue(`failed to convert key to a string, ${nativeTypeName(key)}`);
  }
  return undefined;
}

/** In the time zone that the timestamp was written in. */
function toCron({ seconds, offset }: Timestamp): string {
  const time = new Date((Number(seconds) + offset) * 1000);
  return [time.getUTCMinutes(), time.getUTCHours(), time.getUTCDate(), time.getUTCMonth() + 1, time.getUTCDay()].join(
    ' ',
  );
}

/** Seconds from year 1, Go's zero time, to the Unix epoch. */
const EPOCH = 62_135_596_800n;

function truncate(time: Timestamp, { nanoseconds }: Duration): Timestamp {
  if (nanoseconds <= 0n) return time;
  const total = (time.seconds + EPOCH) * 1_000_000_000n + BigInt(time.nanos);
  const kept = total - (total % nanoseconds);
  return new Timestamp(kept / 1_000_000_000n - EPOCH, Number(kept % 1_000_000_000n));
}

/** `sources` returns those of the current evaluation. Functions without a receiver use it to read the clock. */
export function formatsLibrary(sources: () => CelSources): Library {
  const random: FunctionRow[4] = () => sources().unforeseeable('a random text');
  const rows: readonly FunctionRow[] = [
    ['unmarshal', 'unmarshal_string_dyn', 'json.Json.unmarshal(dyn) -> dyn', 'unit', unmarshal],
    ['marshal', 'marshal_dyn_string', 'json.Json.marshal(dyn) -> string', 'unit', marshal],
    ['parse', 'parse_string_dyn', 'yaml.Yaml.parse(string) -> dyn', 'unit', parseYaml],
    [
      'x509.decode',
      'x509_decode_string',
      'x509.decode(string) -> dyn',
      'unit',
      (text: string) => decode(sources, text),
    ],
    ['time.now', 'time_now', 'time.now() -> google.protobuf.Timestamp', 'unit', () => sources().now()],
    ['time.toCron', 'time_to_cron', 'time.toCron(google.protobuf.Timestamp) -> string', 'unit', toCron],
    [
      'time.truncate',
      'time_truncate',
      'time.truncate(google.protobuf.Timestamp, google.protobuf.Duration) -> google.protobuf.Timestamp',
      'unit',
      truncate,
    ],
    ...['listObjToMap', 'transform.listObjToMap'].map(
      (name): FunctionRow => [
        name,
        `list_of_object_to_map_${prefixOf(name)}`,
        `${name}(list(dyn), list(dyn), string, string) -> map(dyn, dyn)`,
        'unit',
        listObjToMap,
      ],
    ),
    ...['random', 'random.random'].flatMap((name): readonly FunctionRow[] => [
      [name, `random_string_${prefixOf(name)}`, `${name}(string) -> string`, 'unit', random],
      [name, `random_string_default_expr_${prefixOf(name)}`, `${name}() -> string`, 'unit', random],
    ]),
    [
      'gzip.decompress',
      'decompress_bytes_string',
      'gzip.decompress(bytes) -> string',
      'unit',
      ({ data }: Bytes) =>
        data[0] === 0x1f && data[1] === 0x8b
          ? sources().unforeseeable('the content of compressed bytes')
          : new ErrorValue(data.length < 10 ? (data.length === 0 ? 'EOF' : 'unexpected EOF') : 'gzip: invalid header'),
    ],
    [
      'gzip.compress',
      'compress_any_bytes',
      'gzip.compress(dyn) -> bytes',
      'unit',
      (value: Value) =>
        value instanceof Bytes
          ? new ErrorValue("type conversion error from Bytes to 'string'")
          : sources().unforeseeable('the bytes of a compressed text'),
    ],
  ];
  return { name: 'kyverno.formats', functions: declarationsOf(rows) };
}

function prefixOf(name: string): string {
  return name.includes('.') ? 'prefixed' : 'non_prefixed';
}
