// The API server's own errors about an object, as diagnostics on the lines of the manifest.
import type { Diagnostic, RelatedLocation } from '../../diagnostic/diagnostic.ts';
import { kindredName, similarName } from '../../diagnostic/nearest-name.ts';
import { formatApiVersion, formatGroupResource, type GroupVersionKind } from '../../kubernetes/api/group-version.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { DefinitionProblem } from '../../kubernetes/custom-resource/definition/definition-problem.ts';
import type { ServerError } from '../../kubernetes/custom-resource/server-error.ts';
import type { FieldValidation } from '../../kubernetes/request/field-validation.ts';
import { refusalMessage } from '../../kubernetes/schema/admission-object.ts';
import type { MetadataError } from '../../kubernetes/schema/creation/metadata-errors.ts';
import type { DecodeError } from '../../kubernetes/schema/decode-failures.ts';
import { aggregateErrors } from '../../kubernetes/validation/aggregate-errors.ts';
import { formatFieldError, quotedInMessage } from '../../kubernetes/validation/field-error.ts';
import { ruleHelp } from '../../policy/expression/rule-help.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { SourceLocation } from '../../source/text/source-file.ts';
import { causePath, warningPath } from '../../validation/cause-path.ts';
import type { RegistryAnswer, ValidationStop } from '../../validation/server-validation.ts';
import { causeField } from './cause-field.ts';
import { decodingHelp } from './decoding-help.ts';

const NOT_REACHED = 'no policy sees this object: the API server refuses it first';

export function undecodable(resource: Resource, { message, path }: DecodeError): Diagnostic {
  return {
    code: 'refused-object',
    severity: 'error',
    message: refusalMessage(resource.gvk, message),
    primary: resource.locate(path, 'value'),
    related: [],
    help: decodingHelp(resource, path, message) ?? NOT_REACHED,
    field: path,
  };
}

export function unknownFieldHelp(resource: Resource, { path, known, elsewhere }: DecodeError): string {
  const beside = valueAt(resource.value, path.slice(0, -1));
  const free = [...(known?.keys() ?? [])].filter((name) => !isJsonObject(beside) || !beside.has(name));
  const help = `${describeKind(resource.gvk)} has no such field; policies do not see it`;
  const name = String(path.at(-1));
  const similar = similarName(name, free);
  if (similar === undefined && elsewhere !== undefined) {
    const place = elsewhere === '' ? 'at the top of the object' : `in \`${elsewhere}\``;
    return `a field with this name is ${place}. ${help}`;
  }
  const meant = similar ?? kindredName(name, free);
  return meant === undefined ? help : `did you mean \`${meant}\`? ${help}`;
}

export function unknownFields(
  resource: Resource,
  errors: readonly DecodeError[],
  validation: FieldValidation,
): readonly Diagnostic[] {
  if (validation === 'Ignore') return [];
  return errors.map((error) => ({
    code: 'unknown-field',
    ...(validation === 'Strict'
      ? { severity: 'error', message: refusalMessage(resource.gvk, `strict decoding error: ${error.message}`) }
      : { severity: 'warning', message: error.message }),
    primary: resource.locate(error.path, 'key'),
    field: error.path,
    related: [],
    help: unknownFieldHelp(resource, error),
  }));
}

/** Reports keys that occur twice. YAML merge keys may be overridden, so they are not reported. */
export function duplicateFields({ manifest, rootPath }: Resource, validation: FieldValidation): readonly Diagnostic[] {
  if (validation === 'Ignore') return [];
  return manifest.duplicateFields
    .filter(({ path, isMerged }) => !isMerged && rootPath.every((step, index) => path[index] === step))
    .map(({ message, path, range, firstRange }) => {
      const text = `yaml: ${message === '' ? `key "${path.at(-1)}" already set in map` : message}`;
      return {
        code: 'duplicate-field',
        ...(validation === 'Strict'
          ? { severity: 'error', message: `strict decoding error: ${text}` }
          : { severity: 'warning', message: text }),
        primary: { file: manifest.file, range },
        field: path.slice(rootPath.length),
        related:
          firstRange === undefined
            ? []
            : [{ message: 'first written here', location: { file: manifest.file, range: firstRange } }],
        help: 'without strict validation, the server keeps the last value',
      };
    });
}

/** `definition` defines the kind; `placeOf` returns the path of the schema or rule in it that an error comes from. */
export function invalidCustomResource(
  resource: Resource,
  name: string,
  errors: readonly ServerError[],
  definition: Resource,
  placeOf: (error: ServerError) => FieldPath,
): readonly Diagnostic[] {
  const ofFields = errors.filter((error) => !isOfRules(error));
  const help =
    ofFields.length === errors.length ? NOT_REACHED : `${NOT_REACHED}, and skips the validation rules of its kind`;
  const whole = refused(resource, name, aggregateErrors(errors.map((error) => error.message)));
  return ofFields.map((error) => {
    const what = error.rule === undefined ? 'schema' : 'rule';
    const defined = definition.locate(placeOf(error), error.rule === undefined ? 'key' : 'value');
    const related = [{ message: `${what} of CustomResourceDefinition ${definition.name}`, location: defined }];
    const location = valueLocation(resource, error.path);
    const message = refused(resource, name, error.message);
    const serverMessage = message === whole ? {} : { serverMessage: shortened(whole) };
    return { ...invalidObject(message, location, related), ...serverMessage, help, field: error.path };
  });
}

/** Per object; equals the limit of findings per object. */
const MAX_DIAGNOSTICS = 200;
/** In characters. The server's messages include the invalid values, which may be long. */
const MAX_MESSAGE = 10_000;

/** Keeps the first diagnostics of an object and adds the number of omitted ones. */
export function limitDiagnostics(resource: Resource, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const told = diagnostics.slice(0, MAX_DIAGNOSTICS).map((diagnostic) => {
    const { message } = diagnostic;
    return message.length <= MAX_MESSAGE ? diagnostic : { ...diagnostic, message: shortened(message) };
  });
  const [worst] = diagnostics.slice(MAX_DIAGNOSTICS).sort((a, b) => rank(a) - rank(b));
  if (worst === undefined) return told;
  const { code, severity } = worst;
  const more = diagnostics.length - MAX_DIAGNOSTICS;
  const noun = more === 1 ? 'diagnostic' : 'diagnostics';
  const message = `${more} more ${noun} of ${resource.gvk.kind} ${quotedInMessage(resource.name)} not shown`;
  return [...told, { code, severity, message, primary: resource.locate(['kind'], 'value'), related: [] }];
}

function rank({ severity }: Diagnostic): number {
  return severity === 'error' ? 0 : 1;
}

export function shortened(text: string): string {
  if (text.length <= MAX_MESSAGE) return text;
  const isWithinCharacter = /[\ud800-\udbff]/.test(text.charAt(MAX_MESSAGE - 1));
  const end = isWithinCharacter ? MAX_MESSAGE - 1 : MAX_MESSAGE;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

/** The server reports skipped rules as an error on the whole object, without a value. */
function isOfRules({ path, value }: ServerError): boolean {
  return path.length === 0 && value === null;
}

export function invalidMetadata(
  resource: Resource,
  name: string,
  errors: readonly MetadataError[],
): readonly Diagnostic[] {
  return errors.map((error) => {
    const { path, place } = error;
    const location = place === undefined ? valueLocation(resource, path) : resource.locate(place.path, place.part);
    return { ...invalidObject(refused(resource, name, formatFieldError(error)), location, []), field: path };
  });
}

/** One diagnostic for each cause of the server's answer, or one for the object if it names no cause. `object`: as the server validated it. `old`: what an update replaces. */
export function invalidBuiltin(
  resource: Resource,
  name: string,
  object: JsonObject,
  { code, message: whole, causes }: RegistryAnswer,
  old: Resource | undefined,
): readonly Diagnostic[] {
  if (code < 400) return [];
  if (causes.length === 0) return [{ ...invalidObject(whole, resource.locate([], 'key'), []), field: [] }];
  return causes.map(({ field, message: text }) => {
    const path = causePath(field, object);
    const message = refused(resource, name, field === '' ? text : `${field}: ${text}`);
    const serverMessage = whole === '' || message === whole ? {} : { serverMessage: shortened(whole) };
    const narrowed = causeField(resource, path, text, old);
    const location = resource.locate(narrowed.path, narrowed.part);
    return { ...invalidObject(message, location, []), ...serverMessage, field: path };
  });
}

/** The refusals of an update, if a controller may have deleted the old object. */
export function refusedIfOldExists(
  { gvk: { kind } }: Resource,
  ifOldExists: { readonly refusals: readonly Diagnostic[]; readonly deletedBy: string } | undefined,
): readonly Diagnostic[] {
  if (ifOldExists === undefined) return [];
  const { refusals, deletedBy } = ifOldExists;
  return refusals.map((refusal) => ({
    ...refusal,
    code: 'undecided-object',
    severity: 'warning',
    message: shortened(
      `depends on whether the old ${kind} still exists, because ${deletedBy}. If it exists: ${refusal.message}`,
    ),
    help: `give the new ${kind} another name, or delete the old one first; policies evaluate it as a new object`,
  }));
}

/** The object is not refused, and the gate must not take it for accepted. */
export function validationStopped(resource: Resource, name: string, { reason, message }: ValidationStop): Diagnostic {
  const isLimit = reason === 'limit';
  const what = isLimit ? 'reached a limit' : 'failed';
  return {
    code: 'undecided-object',
    severity: 'warning',
    message: `the server's validation of ${resource.gvk.kind} ${quotedInMessage(name)} ${what}: ${message}`,
    primary: resource.locate(['kind'], 'value'),
    related: [],
    help: isLimit
      ? 'make the object smaller; policies evaluate it as if the server accepted it'
      : 'this is a mistake in Preadmit; please report it. Policies evaluate the object as if the server accepted it',
  };
}

/** The texts of the server's `Warning` headers. */
export function serverWarnings(resource: Resource, warnings: readonly string[]): readonly Diagnostic[] {
  return warnings.map((message) => {
    const field = warningPath(message, resource.value);
    const about = field.length > 0 ? field : [message.includes(resource.apiVersion) ? 'apiVersion' : 'kind'];
    const primary = valueLocation(resource, about);
    return { code: 'server-warning', severity: 'warning', message, primary, related: [], field };
  });
}

/** `place`: the field of the definition that deprecates the version. */
export function deprecatedVersion(resource: Resource, message: string, place: SourceLocation): Diagnostic {
  return {
    code: 'server-warning',
    severity: 'warning',
    message,
    primary: resource.locate(['apiVersion'], 'value'),
    related: [{ message: 'deprecated here', location: place }],
    field: ['apiVersion'],
  };
}

/** The server looks up the namespace before validation, so an invalid name gives "not found". */
export function impossibleNamespace(resource: Resource, problem: string): Diagnostic {
  const message = `namespaces ${quotedInMessage(resource.namespace)} not found`;
  const diagnostic = invalidObject(message, valueLocation(resource, ['metadata', 'namespace']), []);
  return { ...diagnostic, help: `no Namespace can have this name: ${problem}`, field: ['metadata', 'namespace'] };
}

const REFUSED_DEFINITION = 'the API server refuses this definition; objects of its kinds are evaluated as written';

export function invalidDefinition(definition: Resource, problems: readonly DefinitionProblem[]): readonly Diagnostic[] {
  return problems.map(({ path, message, slip }) => ({
    code: 'invalid-definition',
    severity: 'error',
    message: refused(definition, definition.name, message),
    primary: valueLocation(definition, path),
    field: path,
    related: [],
    help: [slip && ruleHelp(slip), REFUSED_DEFINITION]
      .filter((part) => part !== undefined)
      .join('. ')
      .replace('?. ', '? '),
  }));
}

export function invalidObject(
  message: string,
  primary: SourceLocation,
  related: readonly RelatedLocation[],
): Diagnostic {
  return { code: 'invalid-object', severity: 'error', message, primary, related, help: NOT_REACHED };
}

/** One error of `errors.NewInvalid`. */
function refused({ gvk }: Resource, name: string, message: string): string {
  return `${formatGroupResource(gvk.group, gvk.kind)} ${quotedInMessage(name)} is invalid: ${message}`;
}

/** Location of a scalar's value; of the key for lists and objects, which may be long. */
function valueLocation(resource: Resource, path: FieldPath): SourceLocation {
  const value = valueAt(resource.value, path);
  return resource.locate(path, isJsonArray(value) || isJsonObject(value) ? 'key' : 'value');
}

function describeKind({ group, version, kind }: GroupVersionKind): string {
  return `${formatApiVersion(group, version)} ${kind}`;
}
