// Splits a policy's expressions into tokens for syntax highlighting.
import { classifiedTokens, type TokenClass } from '../../../cel/editing/token-classes.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { sitesOf } from './expression-site.ts';
import type { FieldText } from './variable-uses.ts';

export function classifiedExpressions(resource: Resource): readonly (FieldText & { readonly class: TokenClass })[] {
  return sitesOf(resource).flatMap(({ path, expression }) =>
    classifiedTokens(expression).map((token) => ({ ...token, resource, path })),
  );
}
