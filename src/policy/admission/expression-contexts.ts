// The environments expressions of a policy are compiled in, by Kubernetes release.
import { DYN } from '../../cel/check/type.ts';
import { Environment } from '../../cel/environment.ts';
import { OPTIONAL_LIBRARY } from '../../cel/library/optional.ts';
import { standardLibrary } from '../../cel/library/standard.ts';
import { STRINGS_2 } from '../../cel/library/strings.ts';
import type { Cluster } from '../../kubernetes/cluster.ts';
import { VARIABLES_TYPE } from '../expression/variables.ts';
import type { ExpressionContexts } from './compiled-policy.ts';

export function expressionContexts(_cluster: Cluster): ExpressionContexts {
  const base = new Environment({
    libraries: [standardLibrary(), OPTIONAL_LIBRARY, STRINGS_2],
    variables: ['object', 'oldObject', 'request', 'namespaceObject'].map((name) => ({ name, type: DYN })),
    homogeneousAggregateLiterals: true,
    crossTypeNumericComparisons: true,
    optionalSyntax: true,
  });
  return {
    context: ({ hasParams, variables }) => ({
      environment: base.extend({
        variables: [
          ...(hasParams ? [{ name: 'params', type: DYN }] : []),
          ...(variables ? [{ name: 'variables', type: VARIABLES_TYPE }] : []),
        ],
        ...(variables && { types: [variables] }),
      }),
      costs: {},
    }),
  };
}
