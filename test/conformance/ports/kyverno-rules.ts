// Port: the evaluation of whole ClusterPolicies by Kyverno 1.19, at admission and in its command line.
import { DEFAULT_VERSION } from '../../../src/kubernetes/api/version.ts';
import { answerClassic } from '../../../src/policy/kyverno/suite/answer-classic.ts';
import { type PolicyQuestion, SuiteTools } from '../../../src/policy/kyverno/suite/suite-answer.ts';
import type { JsonObject } from '../../../src/source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../src/source/json/json-field.ts';
import type { Chance } from './chance.ts';
import { type Body, policy, targetObjects, thing } from './kyverno-policies.ts';
import type { Answer, Arguments, Port } from './port.ts';
import { jsonArgument, tagged } from './tagged-json.ts';

/** The bodies of the rules, and the engines. */
const FUNCTIONS: Readonly<Record<string, readonly [bodies: readonly Body[], engines: readonly string[]]>> = {
  generate: [['generate'], ['cli-apply']],
  mixed: [['validate', 'mutate'], ['cli-apply']],
  mutate: [['mutate'], ['cli-apply']],
  'mutate.targets': [['targets'], ['cli-apply']],
  validate: [['validate'], ['admission', 'cli-apply']],
};

function call(chance: Chance, bodies: readonly Body[], engines: readonly string[]): Arguments {
  const engine = chance.pick(engines);
  return [
    policy(chance, bodies),
    thing(chance),
    {
      engine,
      // The command line has no object to mutate or to generate for in a DELETE.
      operation: chance.in(75) ? 'CREATE' : chance.pick(bodies[0] === 'validate' ? ['UPDATE', 'DELETE'] : ['UPDATE']),
      ...(bodies.includes('targets') && { targets: targetObjects(chance) }),
      ...(chance.in(20) && {
        userInfo: {
          userInfo: { username: 'system:serviceaccount:ns:sa', groups: ['g'] },
          roles: ['ns:r'],
          clusterRoles: ['c'],
        },
      }),
    },
  ];
}

function answer(tools: SuiteTools, [written, object, asked]: Arguments): Answer {
  const context = objectOrEmpty(jsonArgument(asked));
  const question = {
    policy: objectOrEmpty(jsonArgument(written)),
    resource: jsonArgument(object),
    context,
    engine: String(context.get('engine')),
    extraDocs: [],
  };
  checkShape(question);
  const { outcome, results, refused, patched, denialText } = answerClassic(question, tools);
  if (outcome === 'refused') return { refused };
  if (outcome === 'panic') return { panic: 'panic' };
  if (outcome === 'load-error') return { undecided: 'the schema of policies refuses it' };
  return {
    rules: results.map(({ rule, type, status, message, patchedTarget }) => ({
      rule,
      type,
      status,
      message,
      ...(patchedTarget !== undefined && { target: tagged(patchedTarget) }),
    })),
    ...(patched !== undefined && { object: tagged(patched) }),
    ...(question.engine === 'admission' && denialText !== undefined && { denial: denialText }),
  };
}

/** Shrinking must not remove what the server requires. Generated calls always have it. */
function checkShape({ policy: written, resource }: Pick<PolicyQuestion, 'policy' | 'resource'>): void {
  const rules = objectItems(objectOrEmpty(written.get('spec')).get('rules'));
  for (const value of [written, objectOrEmpty(resource)]) {
    const isNamed = textField(objectOrEmpty(value.get('metadata')), 'name') !== '';
    if (textField(value, 'apiVersion') === '' || textField(value, 'kind') === '' || !isNamed)
      throw new Error('not an object');
  }
  const isWhole = (rule: JsonObject): boolean =>
    ['name', 'match', 'skipBackgroundRequests'].every((field) => rule.has(field)) && rule.size > 3;
  if (rules.length === 0 || !rules.every(isWhole)) throw new Error('not a policy');
}

export const KYVERNO_RULES: Port = {
  name: 'kyverno-rules',
  program: 'kyverno-rules',
  originals: ['github.com/kyverno/kyverno/pkg/engine/...'],
  sampled: 120,
  // Our reasons for a crash have other words.
  compared: ['refused', 'rules', 'object', 'denial', 'error', 'thrown'],
  functions: () =>
    Object.entries(FUNCTIONS).map(([name, [bodies, engines]]) => ({
      name,
      generate: (chance) => call(chance, bodies, engines),
      isOnlyLive: name !== 'validate',
    })),
  surface: () => [],
  start: () => {
    const tools = new SuiteTools(DEFAULT_VERSION);
    return (_, args) => answer(tools, args);
  },
};
