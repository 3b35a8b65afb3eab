// `parseServiceAccount('system:serviceaccount:ns:name')` (Kyverno sdk `cel/libs/user`).
import { STRING, struct, type Type } from '../../../../cel/check/type.ts';
import type { Library } from '../../../../cel/declaration/library.ts';
import { StructValue, type Value } from '../../../../cel/value/value.ts';
import { declarationsOf } from '../../../../kubernetes/cel/library/declaration.ts';

const SERVICE_ACCOUNT: Type = struct('user.ServiceAccount');
const FIELDS: readonly string[] = ['Name', 'Namespace'];
const PREFIX = 'system:serviceaccount:';

/** Both parts are empty if the text is not a service account. */
function parseServiceAccount(text: string): Value {
  const [, namespace = '', name = ''] = text.startsWith(PREFIX)
    ? (/^([^:]*):([\s\S]*)$/.exec(text.slice(PREFIX.length)) ?? [])
    : [];
  return new StructValue(
    SERVICE_ACCOUNT,
    new Map([
      ['Name', name],
      ['Namespace', namespace],
    ]),
  );
}

export const USER_LIBRARY: Library = {
  name: 'kyverno.user',
  types: {
    findStruct: (name) => (name === SERVICE_ACCOUNT.name ? SERVICE_ACCOUNT : undefined),
    findField: (_type, field) => (FIELDS.includes(field) ? STRING : undefined),
    fieldNames: () => FIELDS,
  },
  functions: declarationsOf([
    [
      'parseServiceAccount',
      'parse_service_account_string_non_prefixed',
      'parseServiceAccount(string) -> user.ServiceAccount',
      'unit',
      parseServiceAccount,
    ],
    [
      'user.parseServiceAccount',
      'parse_service_account_string_prefixed',
      'user.parseServiceAccount(string) -> user.ServiceAccount',
      'unit',
      parseServiceAccount,
    ],
  ]),
};
