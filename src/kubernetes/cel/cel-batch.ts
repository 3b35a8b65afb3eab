// Evaluates expressions given as JSON, one per line.
import { DYN } from '../../cel/check/type.ts';
import { isJsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { parseJson } from '../../source/json/parse-json.ts';
import { DEFAULT_VERSION, type KubernetesVersion, parseKubernetesVersion, versionProblem } from '../api/version.ts';
import { answerExpression, type ExpressionAnswer } from './answer.ts';
import { callCosts } from './cost.ts';
import { kubernetesEnvironment } from './environment.ts';

/**
 * `preadmit cel --batch`: reads `{"expr": …, "vars": {…}?, "kubernetes": "1.36"?}` and returns the answer. Only the
 * line's variables are declared, as dyn. Any other line returns `{"inputError"}`.
 */
export class CelBatch {
  readonly #environments = new Map<string, ReturnType<typeof kubernetesEnvironment>>();
  readonly #defaultVersion: KubernetesVersion;

  constructor(defaultVersion: KubernetesVersion = DEFAULT_VERSION) {
    this.#defaultVersion = defaultVersion;
  }

  answer(line: string): ExpressionAnswer | { readonly inputError: string } {
    const parsed = parseJson(line);
    const input = 'value' in parsed ? parsed.value : undefined;
    if (!isJsonObject(input) || typeof input.get('expr') !== 'string') {
      return { inputError: 'expected a JSON object with the string `expr`' };
    }
    const written = input.get('kubernetes');
    const problem = typeof written === 'string' ? versionProblem(written) : undefined;
    if (problem !== undefined) return { inputError: `\`${String(written)}\` ${problem}` };
    const version = (typeof written === 'string' && parseKubernetesVersion(written)) || this.#defaultVersion;
    const variables = objectOrEmpty(input.get('vars'));
    const environment = this.#environment(version).extend({
      variables: [...variables.keys()].map((name) => ({ name, type: DYN })),
    });
    const resolveVariable = (name: string): JsonValue | undefined => variables.get(name);
    return answerExpression(textField(input, 'expr'), environment, { resolve: resolveVariable }, callCosts(version));
  }

  #environment(version: KubernetesVersion): ReturnType<typeof kubernetesEnvironment> {
    const key = `${version.major}.${version.minor}`;
    const environment = this.#environments.get(key) ?? kubernetesEnvironment(version, 'stored');
    this.#environments.set(key, environment);
    return environment;
  }
}
