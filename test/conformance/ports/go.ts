// Port: Go's standard library, as far as this project repeats it (`src/go`), and the semantic versions of blang/semver.
import { ADDRESSES } from './go-addresses.ts';
import { NUMBERS } from './go-numbers.ts';
import { characterProperties, REGULAR_EXPRESSIONS } from './go-patterns.ts';
import { TEXT } from './go-text.ts';
import { TIMES } from './go-times.ts';
import type { Answer, Arguments, Port, PortFunction } from './port.ts';

export interface GoFunction extends PortFunction {
  readonly answer: (args: Arguments) => Answer;
}

const FUNCTIONS: readonly GoFunction[] = [...REGULAR_EXPRESSIONS, ...TEXT, ...NUMBERS, ...TIMES, ...ADDRESSES];

export const GO: Port = {
  name: 'go',
  program: 'go',
  sources: ['go'],
  originals: [
    'regexp',
    'regexp/syntax',
    'strconv',
    'internal/strconv',
    'time',
    'net/url',
    'net/netip',
    'net/mail',
    'encoding/base64',
    'path',
    'sort',
    'strings',
    'unicode',
    'unicode/utf8',
    'github.com/blang/semver/v4',
  ],
  sampled: 200,
  functions: () => FUNCTIONS,
  surface: characterProperties,
  start: () => {
    const byName = new Map(FUNCTIONS.map((each) => [each.name, each]));
    return (name, args) => (byName.get(name) as GoFunction).answer(args);
  },
};
