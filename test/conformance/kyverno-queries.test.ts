// Compares single JMESPath queries with Kyverno's answers. Needs the recordings beside the project.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { RegexCache } from '../../src/go/regexp/regex-cache.ts';
import { evaluateConditions } from '../../src/policy/kyverno/conditions/evaluate-conditions.ts';
import { asDoubles } from '../../src/policy/kyverno/jmespath/as-doubles.ts';
import { variableLoader } from '../../src/policy/kyverno/variables/context-entry-loaders.ts';
import { EvaluationContext } from '../../src/policy/kyverno/variables/evaluation-context.ts';
import { QueryCache } from '../../src/policy/kyverno/variables/query-cache.ts';
import { substituteAll } from '../../src/policy/kyverno/variables/substitute.ts';
import { VariableError } from '../../src/policy/kyverno/variables/variable-error.ts';
import type { JsonObject, JsonValue } from '../../src/source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../src/source/json/json-field.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';
import { needs } from '../support/evidence.ts';

const shared = process.env['PREADMIT_SHARED'] ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const recording = `${shared}/conformance/kyverno-1.19.jsonl`;

const environment = { regexes: new RegexCache(), defaultRegistry: 'docker.io', enableDefaultRegistryMutation: true };
const queries = new QueryCache();

/** Deny rules of the lines about a function, an operator or a form of conditions. */
const GROUPS = ['jmespath', 'operator', 'condshape'];

function contextOf(rule: JsonObject, resource: JsonValue, isAdmission: boolean): EvaluationContext {
  const context = new EvaluationContext({ environment, queries });
  const request = new Map<string, JsonValue>([
    ['operation', 'CREATE'],
    ['object', isAdmission ? asDoubles(resource) : resource],
  ]);
  context.addRequest(request);
  for (const entry of objectItems(rule.get('context'))) {
    const variable = objectOrEmpty(entry.get('variable'));
    const jmesPath = textField(variable, 'jmesPath');
    context.addLoader(
      variableLoader(context, { name: textField(entry, 'name'), value: variable.get('value'), jmesPath }),
    );
  }
  return context;
}

/** Status and message; undefined for a crash. */
function answerRule(rule: JsonObject, context: EvaluationContext): readonly [string, string] | undefined {
  const validate = objectOrEmpty(rule.get('validate'));
  const conditions = objectOrEmpty(validate.get('deny')).get('conditions') ?? null;
  const preconditions = rule.get('preconditions');
  if (preconditions !== undefined) {
    const met = evaluateConditions(context, preconditions);
    if (met instanceof VariableError) return ['error', `failed to evaluate preconditions: ${met.message}`];
    if (!met.holds) return ['skip', ['preconditions not met', met.message].filter((part) => part !== '').join('; ')];
  }
  const denied = evaluateConditions(context, conditions);
  if (denied instanceof VariableError) {
    return denied.kind === 'panic' ? undefined : ['error', `failed to check deny conditions: ${denied.message}`];
  }
  if (!denied.holds) return ['pass', `validation rule '${textField(rule, 'name')}' passed.`];
  const text = [textField(validate, 'message'), denied.message].filter((part) => part !== '').join('; ');
  if (text === '') return ['fail', `validation error: rule ${textField(rule, 'name')} failed`];
  const message = substituteAll(context, text);
  if (message instanceof VariableError) return message.kind === 'panic' ? undefined : ['fail', denied.message];
  return typeof message === 'string' ? ['fail', message] : undefined;
}

needs('recordings', existsSync(recording)).describe(
  'queries of kyverno-1.19.jsonl (skipped without the recordings)',
  () => {
    it('match the recording, rule by rule', () => {
      let count = 0;
      for (const text of readFileSync(recording, 'utf8').split('\n')) {
        if (!GROUPS.some((group) => text.includes(`"group":"${group}"`) || text.includes(`"group": "${group}"`)))
          continue;
        const parsed = parseJson(text);
        const line = objectOrEmpty('value' in parsed ? parsed.value : undefined);
        const outcome = textField(line, 'outcome');
        if (outcome !== 'evaluated' && outcome !== 'panic') continue;
        const results = objectItems(line.get('results'));
        for (const rule of objectItems(objectOrEmpty(objectOrEmpty(line.get('policy')).get('spec')).get('rules'))) {
          const name = textField(rule, 'name');
          const recorded = results.find((result) => textField(result, 'rule') === name);
          // Lines recorded for both number models use the integers of the command line.
          const isAdmission =
            textField(line, 'engine') === 'admission' ||
            GROUPS[0] === textField(objectOrEmpty(line.get('source')), 'group');
          const answer = answerRule(rule, contextOf(rule, line.get('resource') ?? null, isAdmission));
          const expected = recorded && [textField(recorded, 'status'), textField(recorded, 'message')];
          expect([textField(line, 'id'), name, answer]).toEqual([textField(line, 'id'), name, expected]);
          count++;
        }
      }
      expect(count).toBe(22_674);
    });
  },
);
