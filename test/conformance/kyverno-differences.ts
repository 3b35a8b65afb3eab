// Lines of the Kyverno recording with a different answer, each with a reason and the location in Kyverno's source.

/** Lines by reason. */
export const KYVERNO_DIFFERENCES: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'not deterministic: of several wrong queries Kyverno names the one it comes to first in a Go map (`pkg/engine/jsonutils/traverse.go:91`)',
    ['syn-jmespath-208a44ed5aec'],
  ],
  [
    'not deterministic: the answer is that of the day of the recording; here the time of a request is unknown (`pkg/engine/jmespath/time.go`, `time_now_utc`)',
    ['real-905cf17d03222c17', 'real-c98e9d712be6f332'],
  ],
  [
    'the command line says that it patched the object, which is the same as before (`processor/policy_processor.go`, `makePolicyContext`)',
    ['suite-2132eb9b4c2d1bf0'],
  ],
]);
