// Suites in formats of other tools, run by `preadmit test`: passed, failed, and unsupported tests.
import { describe, expect, it } from 'vitest';
import { languageSuites } from '../src/pipeline/state/languages.ts';
import { foreignSuites, runForeignSuite } from '../src/pipeline/test/suite/run-foreign-suite.ts';
import type { PolicyTest, TestReport } from '../src/report/explanation/policy-test.ts';
import { testGithub } from '../src/report/format/annotation/test-github.ts';
import { testJunit } from '../src/report/format/junit/test-junit.ts';
import { SourceFile } from '../src/source/text/source-file.ts';

type Files = Readonly<Record<string, string>>;

function run(path: string, files: Files): readonly PolicyTest[] {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
  const suite = runForeignSuite(
    {
      file: new SourceFile(path, files[path] ?? ''),
      read: (named) => {
        const full = new URL(named, `file:///${folder === '.' ? '' : `${folder}/`}`).pathname
          .slice(1)
          .replace(/\/$/, '');
        const found = Object.entries(files).filter(
          ([each]) => each === full || (/\.ya?ml$/.test(each) && (full === '' || each.startsWith(`${full}/`))),
        );
        return found.length === 0 ? undefined : found.map(([each, text]) => new SourceFile(each, text));
      },
      kubernetesVersion: '1.36',
      versionProblem: () => undefined,
      isWanted: () => true,
      now: () => 0,
      seconds: 0,
    },
    languageSuites(),
  );
  expect(suite.problems).toEqual([]);
  return suite.tests;
}

/** `name: passes`, `name: <first difference>` or `name: not run, <reason>`. */
function outcomes(path: string, files: Files): readonly string[] {
  return run(path, files).map(({ name, differences, notRun }) => {
    const [first] = differences;
    if (notRun !== undefined) return `${name}: not run, ${notRun}`;
    return `${name}: ${first === undefined ? 'passes' : [first.message, first.actual].filter(Boolean).join(': ')}`;
  });
}

function configMap(name: string, size: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: shop }\ndata: { size: "${size}" }\n`;
}

const POLICY = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: small }
spec:
  matchConstraints:
    resourceRules:
      - { apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps] }
  validations:
    - { expression: int(object.data.size) < 4, message: too large }
`;
const BINDING = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: small }
spec: { policyName: small, validationActions: [Deny] }
`;
const CLUSTER_POLICY = `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: team }
spec:
  rules:
    - name: has-team
      match: { any: [{ resources: { kinds: [ConfigMap] } }] }
      validate:
        failureAction: Enforce
        message: name the team
        pattern: { metadata: { labels: { team: "?*" } } }
`;

describe('folders pass and fail', () => {
  const files = {
    'p/policy.yaml': `${POLICY}---${BINDING}`,
    'p/pass/a.yaml': configMap('good', '1'),
    'p/pass/b.yaml': configMap('bad', '5'),
    'p/fail/c.yaml': configMap('bad', '5'),
    'p/fail/d.yaml': configMap('good', '1'),
    'apps/fail/d.yaml': configMap('unrelated', '1'),
  };

  it('contain objects that no policy denies, or that one denies', () => {
    expect(outcomes('p/pass', files)).toEqual([
      'ConfigMap/shop/good: passes',
      'ConfigMap/shop/bad: a policy fails on the object: small validations[0]: too large',
    ]);
    expect(outcomes('p/fail', files)).toEqual([
      'ConfigMap/shop/bad: passes',
      'ConfigMap/shop/good: no policy fails on the object',
    ]);
  });

  it('are suites only in the folder of policies', () => {
    expect(foreignSuites(Object.keys(files), (folder) => folder === 'p')).toEqual(['p/pass', 'p/fail']);
  });
});

describe('kyverno-test.yaml', () => {
  const suite = (results: string, more = '') =>
    `apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nmetadata: { name: t }\npolicies: [p.yaml]\nresources: [r.yaml]\n${more}results:\n${results}`;
  const team = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: good, labels: { team: shop } }\n';

  it('is run row by row', () => {
    const results =
      '- { policy: team, rule: has-team, resources: [good, bad], result: pass }\n- { policy: other, resources: [good], result: pass }\n';
    const files = {
      'kyverno-test.yaml': suite(results),
      'p.yaml': CLUSTER_POLICY,
      'r.yaml': `${team}---\n${configMap('bad', '1')}`,
    };
    expect(outcomes('kyverno-test.yaml', files)).toEqual([
      'team/has-team good: passes',
      expect.stringMatching(/^team\/has-team bad: unexpected result: fail: .*name the team/),
      'other good: there is no policy `other` in the files of the suite',
    ]);
  });

  it('never passes if no rule applies', () => {
    const files = {
      'kyverno-test.yaml': suite('- { policy: team, rule: gone, resources: [good], result: pass }\n'),
      'p.yaml': CLUSTER_POLICY,
      'r.yaml': team,
    };
    expect(outcomes('kyverno-test.yaml', files)).toEqual(['team/gone good: no rule has a result']);
  });

  it('evaluates policies of the API server like Kyverno', () => {
    const results =
      '- { policy: small, resources: [good], result: pass }\n- { policy: small, resources: [bad], result: fail }\n';
    const files = {
      'kyverno-test.yaml': suite(results),
      'p.yaml': POLICY,
      'r.yaml': `${configMap('good', '1')}---\n${configMap('bad', '5')}`,
    };
    expect(outcomes('kyverno-test.yaml', files)).toEqual(['small good: passes', 'small bad: passes']);
  });

  it('explains why the API server gives no result', () => {
    const files = {
      'kyverno-test.yaml': suite('- { policy: small, resources: [good], result: pass }\n'),
      'p.yaml': POLICY.replace('operations: [CREATE, UPDATE], ', ''),
      'r.yaml': configMap('good', '1'),
    };
    expect(outcomes('kyverno-test.yaml', files)).toEqual([
      'small good: unexpected result: error: the API server rejects it: spec.matchConstraints.resourceRules[0].operations: Required value',
    ]);
  });

  it('lists tests that need a registry', () => {
    const signed = `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: signed }
spec:
  rules:
    - name: by-us
      match: { any: [{ resources: { kinds: [Pod] } }] }
      verifyImages:
        - imageReferences: ["registry.example.com/*"]
          failureAction: Enforce
          attestors: [{ entries: [{ keyless: { subject: ci@example.com, issuer: https://example.com } }] }]
`;
    const files = {
      'kyverno-test.yaml': suite('- { policy: signed, rule: by-us, kind: Pod, resources: [web], result: pass }\n'),
      'p.yaml': signed,
      'r.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web, image: "registry.example.com/web:1" }] }\n',
    };
    expect(outcomes('kyverno-test.yaml', files)).toEqual([
      'signed/by-us web: not run, depends on a cluster or the network: whether the image registry.example.com/web:1 is signed as the rule requires',
    ]);
  });

  it('lists missing files and files on the network', () => {
    const results = '- { policy: team, rule: has-team, resources: [good], result: pass }\n';
    const files = {
      'kyverno-test.yaml': suite(results, 'variables: values.yaml\n'),
      'p.yaml': CLUSTER_POLICY,
      'r.yaml': team,
    };
    expect(outcomes('kyverno-test.yaml', files)).toEqual([
      'team/has-team good: `values.yaml`, which the suite names, does not exist',
    ]);
    const away = suite(results).replace('r.yaml', 'https://example.com/r.yaml');
    expect(outcomes('kyverno-test.yaml', { ...files, 'kyverno-test.yaml': away })).toEqual([
      'team/has-team good: not run, `https://example.com/r.yaml` is on the network',
    ]);
  });
});

describe('kaptest', () => {
  const suite = (tests: string) =>
    `policies: [p.yaml]\nresources: [r.yaml]\nvapTestSuites:\n- policy: small\n  tests:\n${tests}`;
  const files = {
    'p.yaml': POLICY,
    'r.yaml': `${configMap('good', '1')}---\n${configMap('bad', '5')}---\n${configMap('odd', 'x')}`,
  };

  it('evaluates policies without bindings', () => {
    const tests = [
      '  - { object: { kind: ConfigMap, name: good }, expect: admit }',
      '  - { object: { kind: ConfigMap, name: bad }, expect: deny, deniedMessage: too large }',
      '  - { object: { kind: ConfigMap, name: bad }, expect: deny, deniedMessage: too small }',
      '  - { object: { kind: ConfigMap, name: odd }, expect: error }',
      '  - { object: { kind: ConfigMap, name: bad }, expect: admit }',
      '  - { object: { kind: ConfigMap, name: gone }, expect: admit }',
    ].join('\n');
    expect(outcomes('kaptest.yaml', { ...files, 'kaptest.yaml': suite(tests) })).toEqual([
      'small: ConfigMap/good admit: passes',
      'small: ConfigMap/bad deny: passes',
      'small: ConfigMap/bad deny: denied with an unexpected message: too large',
      'small: ConfigMap/odd error: passes',
      'small: ConfigMap/bad admit: unexpected result: deny: too large',
      'small: ConfigMap/gone admit: the `object` is not in the files of the suite',
    ]);
  });
});

describe('kat', () => {
  it('reads expectations from file names', () => {
    const files = {
      'p/policy.yaml': POLICY,
      'p/tests/small.good.allow.object.yaml': configMap('good', '1'),
      'p/tests/small.bad.deny.object.yaml': configMap('bad', '5'),
      'p/tests/small.bad.deny.message.txt': 'too small\n',
      'p/tests/small.wrong.allow.object.yaml': configMap('bad', '5'),
      'p/tests/small.exec.deny.request.yaml': 'operation: CONNECT\n',
      'p/tests/small.asked.allow.object.yaml': configMap('good', '1'),
      'p/tests/small.asked.allow.authorizer.yaml': '[]\n',
    };
    expect(foreignSuites(Object.keys(files), () => false)).toEqual(['p/tests']);
    expect(outcomes('p/tests', files)).toEqual([
      'small.asked.allow: not run, answers of an authorizer are not supported; use RBAC objects',
      'small.bad.deny: denied with an unexpected message: too large',
      'small.exec.deny: not run, CONNECT is no request for an object',
      'small.good.allow: passes',
      'small.wrong.allow: denied unexpectedly: too large',
    ]);
  });
});

describe('chainsaw', () => {
  const suite = (operations: string) =>
    `apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nmetadata: { name: t }\nspec:\n  steps:\n  - name: s\n    try:\n${operations}`;
  const files = {
    'p.yaml': `${POLICY}---${BINDING}`,
    'good.yaml': configMap('c', '1'),
    'bad.yaml': configMap('c', '5'),
    'ns.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n',
  };

  it('applies one object after the other', () => {
    const operations = [
      '    - apply: { file: ns.yaml }',
      '    - apply: { file: bad.yaml }',
      '    - delete: { ref: { apiVersion: v1, kind: ConfigMap, name: c, namespace: shop } }',
      '    - apply: { file: p.yaml }',
      '    - sleep: { duration: 1s }',
      '    - assert: { file: p.yaml }',
      '    - apply: { file: bad.yaml, expect: [{ check: { ($error != null): true } }] }',
      '    - apply: { file: good.yaml }',
      '    - apply: { file: bad.yaml }',
      '    - apply: { file: good.yaml, expect: [{ check: { ($error): gone } }] }',
    ].join('\n');
    expect(outcomes('chainsaw-test.yaml', { ...files, 'chainsaw-test.yaml': suite(operations) })).toEqual([
      't: s › apply ns.yaml: passes',
      't: s › apply bad.yaml: passes',
      't: s › delete: passes',
      't: s › apply p.yaml ValidatingAdmissionPolicy/small: passes',
      't: s › apply p.yaml ValidatingAdmissionPolicyBinding/small: passes',
      't: s › assert: not run, `assert` needs a cluster',
      't: s › apply bad.yaml: passes',
      't: s › apply good.yaml: passes',
      't: s › apply bad.yaml: there is an unexpected error: small validations[0]: too large',
      't: s › apply good.yaml: not run, its `expect` asks for more than whether there is an error',
    ]);
  });

  it('merges what it applies into an object that exists, and replaces what it updates', () => {
    const labels = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c, namespace: shop, labels: { a: b } }\n';
    const operations = [
      '    - apply: { file: ns.yaml }',
      '    - apply: { file: good.yaml }',
      '    - apply: { file: p.yaml }',
      '    - apply: { file: labels.yaml }',
      '    - update: { file: labels.yaml, expect: [{ check: { ($error != null): true } }] }',
    ].join('\n');
    const given = { ...files, 'labels.yaml': labels, 'chainsaw-test.yaml': suite(operations) };
    expect(outcomes('chainsaw-test.yaml', given).slice(4)).toEqual([
      't: s › apply labels.yaml: passes',
      't: s › update labels.yaml: passes',
    ]);
  });

  it('runs only steps that need no cluster', () => {
    const operations = '    - script: { content: kubectl get pods }\n    - apply: { file: good.yaml }\n';
    expect(outcomes('chainsaw-test.yaml', { ...files, 'chainsaw-test.yaml': suite(operations) })).toEqual([
      't: s › script: not run, `script` needs a cluster',
      't: s › apply good.yaml: not run, `script` before it may have changed the cluster',
    ]);
  });

  it('substitutes values of bindings', () => {
    const operations = [
      '    - apply: { file: ns.yaml }',
      '    - apply: { file: p.yaml }',
      '    - apply: { file: t.yaml, bindings: [{ name: size, value: "5" }], expect: [{ check: { ($error != null): true } }] }',
      `    - apply: { file: t.yaml, bindings: [{ name: size, value: "(join('', ['1']))" }] }`,
    ].join('\n');
    const template = { 't.yaml': configMap('t', '($size)') };
    expect(
      outcomes('chainsaw-test.yaml', { ...files, ...template, 'chainsaw-test.yaml': suite(operations) }).slice(3),
    ).toEqual([
      't: s › apply t.yaml: passes',
      't: s › apply t.yaml: not run, it contains a JMESPath expression that only chainsaw evaluates',
    ]);
  });
});

describe('tests.json of kubescape', () => {
  const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: limits.example.com }
spec:
  group: example.com
  scope: Cluster
  names: { kind: Limit, plural: limits, singular: limit }
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }
`;
  const binding = (action: string) =>
    BINDING.replace('[Deny]', `[${action}], paramRef: { name: any, parameterNotFoundAction: Deny }`);
  const files = {
    'configuration/policy-configuration-definition.yaml': definition,
    'controls/a/policy.yaml': POLICY.replace(
      'matchConstraints:',
      'paramKind: { apiVersion: example.com/v1, kind: Limit }\n  matchConstraints:',
    ).replace('size) < 4', 'size) < params.most'),
    'test-resources/policy-binding.yaml': binding('Deny'),
    'test-resources/warning.yaml': binding('Warn'),
    'test-resources/default-control-configuration.yaml':
      'apiVersion: example.com/v1\nkind: Limit\nmetadata: { name: any }\nmost: 4\n',
    'test-resources/none.yaml': 'apiVersion: example.com/v1\nkind: Limit\nmetadata: { name: any }\n',
    'test-resources/map.yaml': configMap('good', '1'),
  };
  const told = (...tests: readonly object[]) => {
    const text = JSON.stringify(tests.map((test) => ({ name: 't', template: 'map.yaml', ...test })));
    return outcomes('controls/a/tests.json', { ...files, 'controls/a/tests.json': text });
  };

  it('applies templates with changed fields', () => {
    expect(
      told(
        { name: 'as it is', expected: 'pass' },
        { name: 'too large', expected: 'fail', field_change_list: ['data.size="5"'] },
        {
          name: 'too large, warned of',
          expected: 'warn',
          binding_template: 'warning.yaml',
          field_change_list: ['data.size="5"'],
        },
        {
          name: 'a warning is no denial',
          expected: 'fail',
          binding_template: 'warning.yaml',
          field_change_list: ['data.size="5"'],
        },
        { name: 'other params', expected: 'fail', param_template: 'none.yaml' },
        { name: 'made on the way', expected: 'pass', field_change_list: ['metadata.finalizers.[0]=a/b'] },
        { name: 'a denial is no pass', expected: 'pass', field_change_list: ['data.size="7"'] },
      ),
    ).toEqual([
      'as it is: passes',
      'too large: passes',
      'too large, warned of: passes',
      'a warning is no denial: unexpected verdict: warn: small validations[0]: too large',
      'other params: passes',
      'made on the way: passes',
      'a denial is no pass: unexpected verdict: fail: small validations[0]: too large',
    ]);
  });

  it('distinguishes rejections from denials, and reports fixtures that cannot be built', () => {
    expect(
      told(
        { expected: 'fail', field_change_list: ['data.size=5'] },
        { expected: 'denied' },
        { expected: 'pass', template: 'gone.yaml' },
        { expected: 'pass', field_change_list: ['data'] },
        { expected: 'pass', field_change_list: ['data.[0]=1'] },
        { expected: 'pass', field_change_list: ['data=[]', 'data.size=1'] },
        { expected: 'pass', field_change_list: [`${'a.'.repeat(50_000)}a=1`] },
      ),
    ).toEqual([
      expect.stringMatching(/^t: the API server refuses the object itself: .*cannot unmarshal number/),
      't: `expected` is not a known verdict: denied',
      't: `../../test-resources/gone.yaml` does not exist or contains no object',
      't: `data` is not of the form `<field>=<value>`',
      't: `data.[0]=1`: `[0]` does not match the type of the value at this location',
      't: `data.size=1`: `size` does not match the type of the value at this location',
      expect.stringMatching(/^t: `a\.a\..* is not of the form `<field>=<value>`$/),
    ]);
  });

  it('is found in the folder of a policy, and only with a valid form', () => {
    const paths = ['controls/a/policy.yaml', 'controls/a/tests.json', 'web/tests.json'];
    expect(foreignSuites(paths, () => false)).toEqual(['controls/a/tests.json']);
    expect(outcomes('a/tests.json', { 'a/tests.json': '[{ "name": "adds", "input": [1, 2] }]' })).toEqual([]);
  });
});

describe('gator', () => {
  it('is reported case by case', () => {
    const suite =
      'apiVersion: test.gatekeeper.sh/v1alpha1\nkind: Suite\ntests:\n- { name: t, template: t.yaml, cases: [{ name: c, object: o.yaml }] }\n';
    const template =
      'apiVersion: templates.gatekeeper.sh/v1\nkind: ConstraintTemplate\nmetadata: { name: labels }\nspec: { targets: [{ rego: "package p" }] }\n';
    expect(outcomes('suite.yaml', { 'suite.yaml': suite, 't.yaml': template })).toEqual([
      't: c: not run, the ConstraintTemplate labels is written in Rego, which is not evaluated here',
    ]);
  });
});

describe('formats', () => {
  const place = { path: 'a.yaml', startLine: 3, startColumn: 1, endLine: 3, endColumn: 4 };
  const report: TestReport = {
    schemaVersion: 1,
    preadmit: '0',
    passed: 1,
    failed: 1,
    notRun: 1,
    suites: [
      {
        path: 'a.yaml',
        problems: [],
        tests: [
          { name: 'good', place, time: 0.25, differences: [] },
          { name: 'bad', place, time: 0.5, differences: [{ message: 'not denied', expected: 'x < 4' }] },
          { name: 'away', place, time: 0, differences: [], notRun: 'it is on the network' },
        ],
      },
      { path: 'b.yaml', problems: [{ message: 'no tests', place: { ...place, path: 'b.yaml' } }], tests: [] },
    ],
  };

  it('JUnit has a duration for each test, and skips unsupported ones', () => {
    expect(testJunit(report).split('\n')).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="preadmit" tests="4" failures="1" errors="1" time="0.750">',
      '  <testsuite name="a.yaml" tests="3" failures="1" errors="0" skipped="1" time="0.750">',
      '    <testcase name="good" classname="a.yaml" file="a.yaml" line="3" time="0.250"/>',
      '    <testcase name="bad" classname="a.yaml" file="a.yaml" line="3" time="0.500">',
      '      <failure message="not denied">not denied&#10;expected: x &#60; 4</failure>',
      '    </testcase>',
      '    <testcase name="away" classname="a.yaml" file="a.yaml" line="3" time="0.000">',
      '      <skipped message="it is on the network">it is on the network</skipped>',
      '    </testcase>',
      '  </testsuite>',
      '  <testsuite name="b.yaml" tests="1" failures="0" errors="1" time="0.000">',
      '    <testcase name="the file can be run" classname="b.yaml" file="b.yaml" line="3" time="0.000">',
      '      <error message="no tests">no tests</error>',
      '    </testcase>',
      '  </testsuite>',
      '</testsuites>',
      '',
    ]);
  });

  it('GitHub gets an annotation for each failure', () => {
    expect(testGithub(report).split('\n')).toEqual([
      '::error file=a.yaml,line=3,endLine=3,col=1,endColumn=3,title=bad::not denied%0Aexpected: x < 4',
      '::notice file=a.yaml,line=3,endLine=3,col=1,endColumn=3,title=tests not run::1 test of a.yaml cannot be run here:%0Ait is on the network',
      '::error file=b.yaml,line=3,endLine=3,col=1,endColumn=3,title=tests cannot be run::no tests',
      '1 test passed, 1 failed, 1 not run, 1 file not run',
      '',
    ]);
  });
});
