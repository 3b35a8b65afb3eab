// `x509_decode`: certificates and requests for them.
import { failure, SearchError } from '../search-error.ts';
import { type FunctionDeclaration, textAt } from './function-table.ts';

export const CERTIFICATE_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: 'x509_decode',
    parameters: [['string']],
    handler: (values) => {
      if (!/-----BEGIN /.test(textAt(values, 0))) throw failure('failed to decode PEM block');
      throw new SearchError('unknown', 'certificates are not read yet');
    },
  },
];
