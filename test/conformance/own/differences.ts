// Known differences from the recording. A line with a matching answer fails the run, so no entry can outlive its reason.
import type { OwnSuite } from './asked.ts';

const AS_SENT = 'recorded of the text; kubectl reads so large a number as a double and sends the digits of one';
const UTF_16 = 'kubectl splits the octets of UTF-16 at what look like line ends; we read the text they mean';

/** Reasons by line id. */
export const DIFFERENCES: Readonly<Partial<Record<OwnSuite, Readonly<Record<string, string>>>>> = {
  decode: {
    'text/int32/9223372036854775808': AS_SENT,
    'text/int64/9223372036854775808': AS_SENT,
    'text/int-or-string/9223372036854775808': AS_SENT,
  },
  yaml: { 'bytes/7': UTF_16, 'bytes/8': UTF_16 },
};
