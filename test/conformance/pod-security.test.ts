// Compares the Pod Security checks with k8s.io/pod-security-admission; see scripts/record/pod-security.
import { describe, expect, it } from 'vitest';
import { answerPodSecurity, podSecurityLineOf, podSecurityLines } from './pod-security.ts';
import { answerPodSecurityRequest, podSecurityRequestLines, recordedRequest } from './pod-security-requests.ts';

describe('pod-security-0.36.jsonl.gz', () => {
  const lines = podSecurityLines().map(podSecurityLineOf);

  it('matches the recording, line by line, at every level and version', () => {
    expect(lines).toHaveLength(131);
    for (const { id, isRefused, pod, recorded } of lines) {
      if (!isRefused) expect(answerPodSecurity(pod), id).toEqual(recorded);
    }
  });

  it('has unique ids, and two Pods that a server cannot decode', () => {
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
    expect(lines.filter(({ isRefused }) => isRefused)).toHaveLength(2);
  });
});

describe('requests-0.36.jsonl.gz', () => {
  const lines = podSecurityRequestLines();

  it('matches the recording, line by line', () => {
    expect(lines).toHaveLength(67);
    for (const text of lines) {
      const { id, answer } = recordedRequest(text);
      expect(answerPodSecurityRequest(text).answer, id).toEqual(answer);
    }
  });

  it('reports a finding for every refusal and warning', () => {
    for (const text of lines) {
      const { answer, outcome } = answerPodSecurityRequest(text);
      const actions = new Set(outcome.evaluations.flatMap(({ validationActions }) => validationActions));
      expect({ deny: actions.has('Deny'), warn: actions.has('Warn') }, text).toEqual({
        deny: !answer.allowed,
        warn: (answer.warnings ?? []).length > 0,
      });
    }
  });
});
