// Writes to the log of a workflow run: sanitizes every line and encodes every command. All log output must use it.
import { setSecret } from '@actions/core';
import { sanitizeLine } from '../diagnostic/sanitize.ts';
import { encodeCommand } from '../report/format/annotation/workflow-command.ts';

export interface Log {
  /** Text for people; commands in it are disabled. */
  readonly info: (text: string) => void;
  /** An error annotation of the step, without a location. */
  readonly error: (message: string) => void;
  /** A warning annotation for a problem that does not stop the run. */
  readonly warning: (message: string) => void;
  /** Encoded commands, such as the output of the `github` format. */
  readonly commands: (text: string) => void;
}

export function createLog(write: (text: string) => void): Log {
  return {
    info: (text) => {
      for (const line of text.split('\n')) write(`${sanitizeLine(line)}\n`);
    },
    error: (message) => write(`${encodeCommand({ severity: 'error', message })}\n`),
    warning: (message) => write(`${encodeCommand({ severity: 'warning', message })}\n`),
    commands: (text) => write(text.endsWith('\n') ? text : `${text}\n`),
  };
}

/** Makes the runner mask the token in all later output. */
export function maskSecret(token: string): void {
  setSecret(token);
}
