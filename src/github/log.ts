// The only way to the log of a workflow run: every line through the sanitizer, commands through their encoder.
import { setSecret } from '@actions/core';
import { sanitizeLine } from '../diagnostic/sanitize.ts';

export interface Log {
  /** Lines for people; nothing in them is a command. */
  readonly info: (text: string) => void;
  /** Text that an encoder made out of commands and has escaped, such as the `github` format. */
  readonly commands: (text: string) => void;
}

export function createLog(write: (text: string) => void): Log {
  return {
    info: (text) => {
      for (const line of text.split('\n')) write(`${sanitizeLine(line)}\n`);
    },
    commands: (text) => write(text.endsWith('\n') ? text : `${text}\n`),
  };
}

/** Has the runner mask the token in everything printed after it. */
export function maskSecret(token: string): void {
  setSecret(token);
}
