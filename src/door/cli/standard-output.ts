// Standard output, to which no more is given than its reader takes.
import type { Writable } from 'node:stream';
import { systemErrorCode } from '../../workspace/workspace-error.ts';
import type { Terminal } from './terminal.ts';

/**
 * Whoever reads may stop reading, as `head` does; what comes then is thrown away. `failed` is told of everything else that is wrong with
 * the stream.
 */
export function standardOutput(
  stream: Writable,
  failed: (error: Error) => void,
): Required<Pick<Terminal, 'out' | 'taken'>> {
  let isRead = true;
  stream.on('error', (error) => {
    isRead = false;
    if (systemErrorCode(error) !== 'EPIPE') failed(error);
  });
  return {
    out: (text) => {
      if (isRead) stream.write(text);
    },
    taken: async () => {
      if (isRead && stream.writableNeedDrain) await roomIn(stream);
      // An error is known before it is told.
      return isRead && stream.errored === null;
    },
  };
}

function roomIn(stream: Writable): Promise<void> {
  const events = ['drain', 'error', 'close'];
  return new Promise((resolve) => {
    const done = (): void => {
      for (const event of events) stream.off(event, done);
      resolve();
    };
    for (const event of events) stream.on(event, done);
  });
}
