// Lines of the recording of Kyverno that are answered otherwise, each for a reason.

/** Reasons with the lines they are of. */
export const KYVERNO_DIFFERENCES: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'targets are patched by the background controller: admission says nothing of them, the command line does',
    [
      'suite-38604824e7ac6a5d',
      'suite-9145fb8d6c9daa98',
      'suite-861532dd835826b5',
      'real-5e9a6887d7196462',
      'real-6fa16e337bd5d350',
      'real-8a3f76f07829da37',
      'real-b2610af3bb18bc47',
      'real-52d164e791112cac',
      'real-a408fa86a9a13b9b',
      'real-61d8419a6736d14e',
      'real-fc1a5a6479190e55',
      'real-259207297ea6f176',
      'real-1946f5e8ceb257da',
      'real-0a81e8f587692dae',
    ],
  ],
  ['the command line writes values of its own into the object', ['suite-c56ea5468c8edcfb', 'suite-2132eb9b4c2d1bf0']],
  [
    'the command line has no `request.oldObject` where admission has null',
    ['syn-fix-5abcffe503ac03', 'syn-fix-d61c39520a67e2', 'syn-fix-05f37ea50a1a47', 'syn-fix-73956dc937522a'],
  ],
  [
    'the recorder has no client to compile conditions of webhooks with, and crashes',
    [
      'syn-refused-c5566d199f99',
      'real-325a1d2b51e1ff24',
      'real-cc7b0f931a4ca8a7',
      'real-ef14a20ee2268d39',
      'real-0cbdb98dc9eeffdb',
      'real-336e3108c8e3c108',
      'real-5abcd6a5c799f09b',
    ],
  ],
  [
    'the client of the command line crashes when generate rules list what nobody gave it',
    ['real-4e0b2b5a235f7c69', 'real-241fc2318041b90a'],
  ],
  ['the answer depends on the time of the recording', ['real-905cf17d03222c17', 'real-c98e9d712be6f332']],
  ['the command line does not load a Policy of this version', ['syn-refused-5272ca3d2911']],
  ['of several wrong queries Kyverno names any', ['syn-jmespath-208a44ed5aec']],
]);
