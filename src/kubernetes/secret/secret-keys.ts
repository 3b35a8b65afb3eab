// Decides by its name whether a field of a Secret, of values or of a generator holds secrets.

/** Fields of a Secret that hold no secret; any other top-level field may be a misspelt `stringData`. */
const PUBLIC_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'type', 'immutable']);
/** Fields of a `secretGenerator` that hold no secret. */
const PUBLIC_GENERATOR_FIELDS: ReadonlySet<string> = new Set(
  'name namespace type behavior options disableNameSuffixHash files env envs'.split(' '),
);
const DATA = /^(?:string|binary|plain)?[-_]?data$/i;
const SECRET_WORD = /^(?:password|passwd|passphrase|pwd|pass|secret|token|credential|apikey|privatekey|accesskey)s?$/;
const COMPOUND = /(?:password|passwd|passphrase|secret|token|credential|[^y]key)s?$/;
/** A reference to a Secret, a switch, or a key of something else. */
const REFERENCE =
  /(?:name|names|ref|refs|enabled|create|path|file|mount|mounts|ttl|expiration|seconds|pullsecrets?|topologykey|existingsecret|automountserviceaccounttoken)$/;

export function isSecretField(name: string): boolean {
  return !PUBLIC_FIELDS.has(name);
}

export function isSecretGeneratorField(name: string): boolean {
  return !PUBLIC_GENERATOR_FIELDS.has(name);
}

export function isDataField(name: string): boolean {
  return DATA.test(name);
}

/** Of a value of a chart or a substitution, e.g. `dbPassword` or `auth.token`. */
export function isSecretName(name: string): boolean {
  const last = name.split('.').at(-1) ?? '';
  const plain = last.replace(/[-_\s]/g, '').toLowerCase();
  return !REFERENCE.test(plain) && (SECRET_WORD.test(plain) || COMPOUND.test(plain));
}
