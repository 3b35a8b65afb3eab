// Holds the checks of Pod Security against what k8s.io/pod-security-admission answered; scripts/record/pod-security says how.
import { describe, expect, it } from 'vitest';
import { answerPodSecurity, podSecurityLineOf, podSecurityLines } from './pod-security.ts';

describe('pod-security-0.36.jsonl.gz', () => {
  const lines = podSecurityLines().map(podSecurityLineOf);

  it('is answered alike, line by line, at every level and version', () => {
    expect(lines).toHaveLength(131);
    for (const { id, isRefused, pod, recorded } of lines) {
      if (!isRefused) expect(answerPodSecurity(pod), id).toEqual(recorded);
    }
  });

  it('has each id once, and two Pods that a server refuses to decode', () => {
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
    expect(lines.filter(({ isRefused }) => isRefused)).toHaveLength(2);
  });
});
