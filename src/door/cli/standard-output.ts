// Standard output with backpressure: no more is written than the reader accepts.
import type { Writable } from 'node:stream';
import { systemErrorCode } from '../../workspace/workspace-error.ts';
import type { Terminal } from './terminal.ts';

/** A reader may close the stream early, as `head` does; later output is discarded. `failed` receives every other stream error. */
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
      // The stream sets `errored` before it emits the event.
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
