// The server's validation of a definition apart from its schemas (apiextensions `validation/validation.go`).
import { isJsonArray, type JsonObject, type JsonValue, stringifyJson } from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { dns1035Label, dns1123Subdomain } from '../../validation/name-format.ts';
import type { ErrorPlace, ServerErrors } from '../server-error.ts';
import type { DefinitionProblem } from './definition-problem.ts';

const APPROVED = 'api-approved.kubernetes.io';
const APPROVAL = `protected groups must have approval annotation "${APPROVED}"`;
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';
const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const REVIEW_VERSIONS = ['v1', 'v1beta1'];
const MAX_WARNING = 256;

/** `old`: the definition that an update replaces. Only for `apiextensions.k8s.io/v1`. */
export function specErrors(
  definition: JsonObject,
  old: JsonObject | undefined,
  errors: ServerErrors,
): readonly DefinitionProblem[] {
  return new SpecCheck(definition, errors).check(old);
}

class SpecCheck {
  readonly #definition: JsonObject;
  readonly #spec: JsonObject;
  readonly #errors: ServerErrors;
  readonly #found: DefinitionProblem[] = [];

  constructor(definition: JsonObject, errors: ServerErrors) {
    this.#definition = definition;
    this.#spec = objectOrEmpty(definition.get('spec'));
    this.#errors = errors;
  }

  check(old: JsonObject | undefined): readonly DefinitionProblem[] {
    const versions = objectItems(this.#spec.get('versions'));
    this.#group();
    this.#scope();
    this.#versions(versions);
    this.#names(objectOrEmpty(this.#spec.get('names')));
    this.#conversion(objectField(this.#spec, 'conversion'));
    if (old !== undefined) this.#replaced(old, versions);
    this.#approval(old);
    if (this.#spec.get('preserveUnknownFields') === true) {
      const detail =
        'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
      this.#invalid('spec.preserveUnknownFields', ['spec', 'preserveUnknownFields'], true, detail);
    }
    return this.#found;
  }

  #group(): void {
    const group = textField(this.#spec, 'group');
    const path = ['spec', 'group'];
    if (group === '') this.#required('spec.group', path);
    else if (dns1123Subdomain(group).length > 0)
      this.#invalid('spec.group', path, group, dns1123Subdomain(group).join(','));
    else if (!group.includes('.')) this.#invalid('spec.group', path, group, 'should be a domain with at least one dot');
  }

  #scope(): void {
    const scope = textField(this.#spec, 'scope');
    const path = ['spec', 'scope'];
    if (scope === '') this.#required('spec.scope', path);
    else if (scope !== 'Cluster' && scope !== 'Namespaced') {
      this.#found.push(this.#errors.notSupported(placeOf('spec.scope', path), scope, ['Cluster', 'Namespaced']));
    }
  }

  #versions(versions: readonly JsonObject[]): void {
    for (const [index, version] of versions.entries()) {
      const name = textField(version, 'name');
      const path = ['spec', 'versions', index];
      const problems = dns1035Label(name);
      if (problems.length > 0)
        this.#invalid(`spec.versions[${index}].name`, [...path, 'name'], name, problems.join(','));
      this.#deprecation(version, index);
      this.#columns(version, `${placeIn(versions, index, 'additionalPrinterColumns')}`, path);
      this.#scale(version, `${placeIn(versions, index, 'subresources')}.scale`, path);
    }
    // The server prints all versions in the next two messages.
    const names = versions.map((version) => textField(version, 'name'));
    if (new Set(names).size < names.length)
      this.#add(['spec', 'versions'], 'spec.versions: must contain unique version names');
    if (versions.filter((version) => version.get('storage') === true).length !== 1) {
      this.#add(['spec', 'versions'], 'spec.versions: must have exactly one version marked as storage version');
    }
  }

  #deprecation(version: JsonObject, index: number): void {
    const warning = version.get('deprecationWarning');
    if (typeof warning !== 'string') return;
    const invalid = (detail: string): void =>
      this.#invalid(
        `spec.versions[${index}].deprecationWarning`,
        ['spec', 'versions', index, 'deprecationWarning'],
        warning,
        detail,
      );
    if (version.get('deprecated') !== true) {
      invalid('can only be set for deprecated versions');
      return;
    }
    if (new TextEncoder().encode(warning).length > MAX_WARNING) invalid('must be <= 256 characters long');
    if (warning === '') invalid('must not be an empty string');
  }

  #columns(version: JsonObject, place: string, path: FieldPath): void {
    for (const [index, column] of objectItems(version.get('additionalPrinterColumns')).entries()) {
      const at = `${place}[${index}]`;
      const steps = [...path, 'additionalPrinterColumns', index];
      const [type, format, jsonPath] = ['type', 'format', 'jsonPath'].map((field) => textField(column, field));
      if (textField(column, 'name') === '') this.#required(`${at}.name`, [...steps, 'name']);
      const types = `must be one of ${COLUMN_TYPES.join(',')}`;
      if (type === '') this.#required(`${at}.type`, [...steps, 'type'], types);
      else if (type !== undefined && !COLUMN_TYPES.includes(type))
        this.#invalid(`${at}.type`, [...steps, 'type'], type, types);
      if (format !== undefined && format !== '' && !COLUMN_FORMATS.includes(format)) {
        this.#invalid(`${at}.format`, [...steps, 'format'], format, `must be one of ${COLUMN_FORMATS.join(',')}`);
      }
      if (jsonPath === '') this.#required(`${at}.JSONPath`, [...steps, 'jsonPath']);
      else if (jsonPath !== undefined) this.#simplePath(jsonPath, `${at}.JSONPath`, [...steps, 'jsonPath']);
    }
  }

  #scale(version: JsonObject, place: string, path: FieldPath): void {
    const scale = objectField(objectOrEmpty(version.get('subresources')), 'scale');
    if (scale === undefined) return;
    const rows = [
      ['specReplicasPath', ['.spec.'], 'should be a json path under .spec'],
      ['statusReplicasPath', ['.status.'], 'should be a json path under .status'],
      ['labelSelectorPath', ['.spec.', '.status.'], 'should be a json path under either .spec or .status'],
    ] as const;
    for (const [field, starts, detail] of rows) {
      const value = textField(scale, field);
      const steps = [...path, 'subresources', 'scale', field];
      if (value === '') {
        if (field !== 'labelSelectorPath') this.#required(`${place}.${field}`, steps);
      } else if (
        this.#simplePath(value, `${place}.${field}`, steps) &&
        !starts.some((start) => value.startsWith(start))
      ) {
        this.#invalid(`${place}.${field}`, steps, value, detail);
      }
    }
  }

  #simplePath(value: string, place: string, steps: FieldPath): boolean {
    if (value.startsWith('.')) return true;
    this.#invalid(place, steps, value, 'must be a simple json path starting with .');
    return false;
  }

  #names(names: JsonObject): void {
    const kind = textField(names, 'kind');
    const listKind = textField(names, 'listKind') || (kind === '' ? '' : `${kind}List`);
    const path = ['spec', 'names'];
    const plural = textField(names, 'plural');
    if (plural === '') this.#required('spec.names.plural', [...path, 'plural']);
    if (kind === '') this.#required('spec.names.kind', [...path, 'kind']);
    this.#label(plural, 'spec.names.plural', [...path, 'plural']);
    this.#label(textField(names, 'singular'), 'spec.names.singular', [...path, 'singular']);
    this.#mixedCase(kind, 'spec.names.kind', [...path, 'kind']);
    this.#mixedCase(listKind, 'spec.names.listKind', [...path, 'listKind']);
    for (const list of ['shortNames', 'categories']) {
      for (const [index, name] of textItems(names.get(list)).entries()) {
        this.#label(name, `spec.names.${list}[${index}]`, [...path, list, index], true);
      }
    }
    if (kind !== '' && kind === listKind) {
      this.#invalid('spec.names.listKind', [...path, 'listKind'], listKind, 'kind and listKind may not be the same');
    }
  }

  #label(name: string, place: string, steps: FieldPath, isRequired = false): void {
    const problems = name === '' && !isRequired ? [] : dns1035Label(name);
    if (problems.length > 0) this.#invalid(place, steps, name, problems.join(','));
  }

  #mixedCase(name: string, place: string, steps: FieldPath): void {
    const problems = name === '' ? [] : dns1035Label(name.toLowerCase());
    if (problems.length === 0) return;
    this.#invalid(place, steps, name, `may have mixed case, but should otherwise match: ${problems.join(',')}`);
  }

  #conversion(conversion: JsonObject | undefined): void {
    if (conversion === undefined) return;
    const path = ['spec', 'conversion'];
    const strategy = textField(conversion, 'strategy');
    const webhook = objectField(conversion, 'webhook');
    const client = webhook && objectField(webhook, 'clientConfig');
    const versions = textItems(webhook?.get('conversionReviewVersions'));
    const [atClient, atVersions] = [
      [...path, 'webhook', 'clientConfig'],
      [...path, 'webhook', 'conversionReviewVersions'],
    ];
    if (strategy === '') this.#required('spec.conversion.strategy', [...path, 'strategy']);
    else if (strategy !== 'None' && strategy !== 'Webhook') {
      const place = placeOf('spec.conversion.strategy', [...path, 'strategy']);
      this.#found.push(this.#errors.notSupported(place, strategy, ['None', 'Webhook']));
    }
    if (strategy !== 'Webhook') {
      const detail = 'should not be set when strategy is not set to Webhook';
      const forbid = (place: string, steps: FieldPath): void => {
        this.#found.push(this.#errors.forbidden(placeOf(place, steps), detail));
      };
      if (client !== undefined) forbid('spec.conversion.webhookClientConfig', atClient);
      if (versions.length > 0) forbid('spec.conversion.conversionReviewVersions', atVersions);
      return;
    }
    if (client === undefined) {
      this.#required('spec.conversion.webhookClientConfig', atClient, 'required when strategy is set to Webhook');
    } else if (client.has('url') === client.has('service')) {
      this.#required('spec.conversion.webhookClientConfig', atClient, 'exactly one of url or service is required');
    }
    this.#reviewVersions(versions, atVersions);
  }

  #reviewVersions(versions: readonly string[], steps: FieldPath): void {
    const place = 'spec.conversion.conversionReviewVersions';
    if (versions.length === 0) {
      this.#required(place, steps);
      return;
    }
    for (const [index, version] of versions.entries()) {
      if (versions.indexOf(version) < index) {
        this.#invalid(`${place}[${index}]`, [...steps, index], version, 'duplicate version');
        continue;
      }
      for (const problem of dns1035Label(version))
        this.#invalid(`${place}[${index}]`, [...steps, index], version, problem);
    }
    if (versions.some((version) => REVIEW_VERSIONS.includes(version))) return;
    this.#invalid(place, steps, [...versions], `must include at least one of ${REVIEW_VERSIONS.join(', ')}`);
  }

  /** The names of an established definition stay, and so do versions in which objects may be stored. */
  #replaced(old: JsonObject, versions: readonly JsonObject[]): void {
    const before = objectOrEmpty(old.get('spec'));
    const kept: FieldPath[] = [['scope'], ['names', 'kind'], ['group'], ['names', 'plural']];
    for (const path of kept) {
      const [was, is] = [before, this.#spec].map((spec) =>
        textField(path.length === 1 ? spec : objectOrEmpty(spec.get('names')), String(path.at(-1))),
      );
      if (was === '' || is === undefined || is === '' || was === is) continue;
      this.#invalid(['spec', ...path].join('.'), ['spec', ...path], is, 'field is immutable');
    }
    const stored = objectItems(before.get('versions')).find((version) => version.get('storage') === true);
    const name = stored && textField(stored, 'name');
    if (name === undefined || versions.some((version) => textField(version, 'name') === name)) return;
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    this.#invalid('status.storedVersions[0]', ['spec', 'versions'], name, detail);
  }

  #approval(old: JsonObject | undefined): void {
    if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(textField(this.#spec, 'group'))) return;
    const [before, approval] = [old, this.#definition].map((definition) => definition && annotationOf(definition));
    if (before !== undefined && approvalState(before) === approvalState(approval ?? '')) return;
    const place = placeOf(`metadata.annotations[${APPROVED}]`, ['metadata', 'annotations', APPROVED]);
    if (approvalState(approval ?? '') === 'missing')
      this.#found.push(this.#errors.required(place, `${APPROVAL}, ${SEE}`));
    if (approvalState(approval ?? '') === 'invalid') {
      const detail = `${APPROVAL} with either a URL or a reason starting with "unapproved", ${SEE}`;
      this.#found.push(this.#errors.invalid(place, approval, detail));
    }
  }

  #required(place: string, steps: FieldPath, detail = ''): void {
    this.#found.push(this.#errors.required(placeOf(place, steps), detail));
  }

  #invalid(place: string, steps: FieldPath, value: JsonValue, detail: string): void {
    this.#found.push(this.#errors.invalid(placeOf(place, steps), value, detail));
  }

  #add(path: FieldPath, message: string): void {
    this.#found.push({ path, message });
  }
}

function placeOf(text: string, steps: FieldPath): ErrorPlace {
  return { steps, toString: () => text };
}

/** Settings that all versions share are settings of the definition inside the server (`v1/conversion.go`). */
function placeIn(versions: readonly JsonObject[], index: number, field: string): string {
  const text = (version: JsonObject): string => {
    const value = version.get(field);
    const isEmpty = value === undefined || value === null || (isJsonArray(value) && value.length === 0);
    return isEmpty ? '' : stringifyJson(value, { sortKeys: true, escapeHtml: false });
  };
  const isShared = new Set(versions.map(text)).size === 1;
  return isShared ? `spec.${field}` : `spec.versions[${index}].${field}`;
}

function annotationOf(definition: JsonObject): string {
  const annotations = objectField(objectOrEmpty(definition.get('metadata')), 'annotations');
  return annotations === undefined ? '' : textField(annotations, APPROVED);
}

function approvalState(annotation: string): 'missing' | 'bypassed' | 'approved' | 'invalid' {
  if (annotation === '') return 'missing';
  if (annotation.startsWith('unapproved')) return 'bypassed';
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#\s]+/.test(annotation) ? 'approved' : 'invalid';
}
