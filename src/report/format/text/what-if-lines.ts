// Candidate policies in words: their sources, their effects and their problems.
import type { WhatIf } from '../../audit/what-if.ts';
import { count } from '../../wording/wording.ts';

export function whatIfLines({ sources, problems, blastRadius }: WhatIf): readonly string[] {
  return [
    ...sources.map(({ name, version, replaces }) => {
      const pin = version === '' ? '' : ` (${version})`;
      return `source \`${name}\`${pin}: ${replaces ? 'replaces the current source of this name' : 'added to the current policies'}`;
    }),
    ...problems.map(({ severity, message, code, primary }) => {
      const where = primary === undefined ? '' : `${primary.path}:${primary.startLine} `;
      return `${where}${severity}: ${message} (${code})`;
    }),
    ...(blastRadius === undefined
      ? ['no policy, binding, param or Namespace differs from the current ones']
      : effectLines(blastRadius)),
  ];
}

/** An undecided object is neither refused nor allowed, so it has its own sentence. */
function effectLines({ open = 0 }: NonNullable<WhatIf['blastRadius']>): readonly string[] {
  return open === 0 ? [] : [`${count(open, 'object')} cannot be decided under the candidate policies`];
}
