// Validates `context` entries (`validateRuleContext` in `validate.go`).
import { isJsonObject, type JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import { QueryError } from '../jmespath/query-error.ts';
import { compileQuery } from '../jmespath/search.ts';
import { hasVariables } from '../variables/find-variables.ts';

const FORMS = ['configMap', 'apiCall', 'globalReference', 'imageRegistry', 'variable'] as const;
const PREDEFINED = ['images', 'request', 'serviceAccountName', 'serviceAccountNamespace', 'element', 'elementIndex'];

export interface ContextProblem {
  readonly message: string;
  /** Index of the entry. Undefined if the whole context is wrong. */
  readonly index: number | undefined;
}

export function checkContext(rule: JsonObject): ContextProblem | undefined {
  const entries = objectItems(rule.get('context'));
  if (entries.length === 0) return undefined;
  if (isJsonObject(objectOrEmpty(rule.get('validate')).get('cel'))) {
    const message = 'context variables are not supported for CEL expressions in validate rules';
    return { message, index: undefined };
  }
  for (const [index, entry] of entries.entries()) {
    const message = entryProblem(entry);
    if (message !== undefined) return { message, index };
  }
  return undefined;
}

function entryProblem(entry: JsonObject): string | undefined {
  const name = textField(entry, 'name');
  if (name === '') return 'a name is required for context entries';
  const known = PREDEFINED.find((each) => name === each || name.startsWith(`${each}.`));
  if (known !== undefined) return `entry name ${name} is invalid as it conflicts with a pre-defined variable ${known}`;
  const given = FORMS.filter((form) => isJsonObject(entry.get(form)));
  const [form] = given;
  if (form === undefined || given.length > 1) {
    return 'exactly one of configMap or apiCall or imageRegistry or variable is required for context entries';
  }
  const fields = objectOrEmpty(entry.get(form));
  switch (form) {
    case 'configMap':
      if (textField(fields, 'name') === '') return 'a name is required for configMap context entry';
      return textField(fields, 'namespace') === '' ? 'a namespace is required for configMap context entry' : undefined;
    case 'apiCall':
      if (textField(fields, 'urlPath') !== '' && isJsonObject(fields.get('service'))) {
        return 'a URLPath cannot be used for service API calls';
      }
      return queryProblem(fields);
    case 'globalReference':
      if (textField(fields, 'name') === '') return 'a name is required for globalReference context entry';
      return queryProblem(fields);
    case 'imageRegistry':
      if (textField(fields, 'reference') === '') return 'a ref is required for imageRegistry context entry';
      return queryProblem(fields);
    case 'variable':
      return queryProblem(fields) ?? variableProblem(fields);
    default:
      return form satisfies never;
  }
}

/** A query with variables cannot be parsed yet. */
function queryProblem(fields: JsonObject): string | undefined {
  const query = textField(fields, 'jmesPath');
  if (query === '' || hasVariables(query)) return undefined;
  const compiled = compileQuery(query);
  return compiled instanceof QueryError ? `failed to parse JMESPath ${query}: ${compiled.message}` : undefined;
}

function variableProblem(fields: JsonObject): string | undefined {
  const query = textField(fields, 'jmesPath');
  if (query !== '') return undefined;
  if ((fields.get('value') ?? null) === null) return 'a variable must define a value or a jmesPath expression';
  if ((fields.get('default') ?? null) === null) return undefined;
  return 'a variable must define a default value only when a jmesPath expression is defined';
}
