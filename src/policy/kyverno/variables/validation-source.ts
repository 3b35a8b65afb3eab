// Stands in for a request when a policy is validated: every variable that may be written has the value null (`pkg/engine/context/mock_context.go`).
import type { RegexCache } from '../../../go/regexp/regex-cache.ts';
import { trimSpace } from '../../../go/trim-space.ts';
import { QueryError } from '../jmespath/query-error.ts';
import { matchesWildcard } from '../wildcard.ts';
import type { QueryCache } from './query-cache.ts';
import { VariableError, variableFailure } from './variable-error.ts';
import type { VariableSource } from './variable-source.ts';

export interface AllowedVariables {
  /** A regular expression that queries of any rule may match; undefined for none. */
  readonly regex: string | undefined;
  /** Wildcards: the names of the rule's context entries, `request.object*` and the like. */
  readonly patterns: readonly string[];
}

export function validationSource(
  { regex, patterns }: AllowedVariables,
  queries: QueryCache,
  regexes: RegexCache,
): VariableSource {
  const compiled = regex === undefined ? undefined : regexes.compile(regex);
  const isAllowed = (query: string): boolean => {
    if (compiled !== undefined && !('error' in compiled) && compiled.matches(query)) return true;
    return patterns.some((pattern) => matchesWildcard(pattern, query));
  };
  return {
    operation: '',
    query: (text) => {
      const query = trimSpace(text);
      if (query === '') return variableFailure('invalid query (nil)');
      const parsed = queries.compile(query);
      if (parsed instanceof QueryError) {
        return new VariableError(
          parsed.isLimit ? 'limit' : 'failure',
          `invalid JMESPath query ${query}: ${parsed.message}`,
        );
      }
      const unquoted = query.replaceAll('"', '');
      if (isAllowed(unquoted)) return null;
      const listed = `patterns [${patterns.join(' ')}]`;
      const expected = regex === undefined ? listed : `regex "${regex}" or ${listed}`;
      return new VariableError('failure', `variable ${unquoted} must match ${expected}`, true);
    },
  };
}
