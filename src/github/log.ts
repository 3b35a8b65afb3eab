// The only way to the log of a workflow run: every line through the sanitizer, every command through its encoder.
import { setSecret } from '@actions/core';
import { sanitizeLine } from '../diagnostic/sanitize.ts';
import { encodeCommand } from '../report/format/annotation/workflow-command.ts';

export interface Log {
  /** Lines for people; nothing in them is a command. */
  readonly info: (text: string) => void;
  /** An error annotation of the step, without a place. */
  readonly error: (message: string) => void;
  /** The same, for what the run goes on without. */
  readonly warning: (message: string) => void;
  /** Text that an encoder made out of commands, such as the `github` format. */
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

/** Has the runner mask the token in everything printed after it. */
export function maskSecret(token: string): void {
  setSecret(token);
}
