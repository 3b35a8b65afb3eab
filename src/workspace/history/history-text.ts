// The caller's operations on the text of a history. Only the caller knows the format of its lines.

export interface HistoryText {
  /**
   * The line to append to this text; undefined if there is none. Called again whenever another writer has changed the text, and must then
   * recognize its own line.
   */
  readonly lineFor: (text: string) => string | undefined;
  readonly appended: (text: string, line: string) => string;
  /** A shorter text with the same meaning; undefined if the text is short enough. */
  readonly compacted: (text: string) => string | undefined;
  /** Joins two versions of one history. */
  readonly joined: (one: string, other: string) => string;
}

/** Larger histories are not read. */
export const MAX_HISTORY_BYTES = 64 * 1024 * 1024;
