// All functions of Kyverno's JMESPath.
import { ARITHMETIC_FUNCTIONS } from './arithmetic.ts';
import { CERTIFICATE_FUNCTIONS } from './certificates.ts';
import { CLUSTER_FUNCTIONS } from './cluster.ts';
import { DIGEST_FUNCTIONS } from './digest.ts';
import { QueryFunctions } from './function-table.ts';
import { OBJECT_FUNCTIONS } from './objects.ts';
import { REGEX_FUNCTIONS } from './regular-expressions.ts';
import { VERSION_FUNCTIONS } from './semantic-versions.ts';
import { STANDARD_FUNCTIONS } from './standard.ts';
import { TEXT_FUNCTIONS } from './text.ts';
import { TIME_FUNCTIONS } from './time.ts';

export const FUNCTIONS = new QueryFunctions([
  ...STANDARD_FUNCTIONS,
  ...TEXT_FUNCTIONS,
  ...REGEX_FUNCTIONS,
  ...ARITHMETIC_FUNCTIONS,
  ...TIME_FUNCTIONS,
  ...OBJECT_FUNCTIONS,
  ...VERSION_FUNCTIONS,
  ...DIGEST_FUNCTIONS,
  ...CLUSTER_FUNCTIONS,
  ...CERTIFICATE_FUNCTIONS,
]);
