// Documents open in the editor, including unsaved edits.
import type { Range } from 'vscode-languageserver-types';
import { SourceFile } from '../../source/text/source-file.ts';
import { offsetAt } from './document-position.ts';

export interface OpenDocument {
  readonly uri: string;
  readonly version: number;
  readonly file: SourceFile;
}

/** Replaces a range of the document, or the whole document without a range. */
export interface DocumentChange {
  readonly range?: Range;
  readonly text: string;
}

export class OpenDocuments {
  readonly #documents = new Map<string, OpenDocument>();

  all(): readonly OpenDocument[] {
    return [...this.#documents.values()];
  }

  get(uri: string): OpenDocument | undefined {
    return this.#documents.get(uri);
  }

  open(uri: string, version: number, text: string): void {
    this.#documents.set(uri, { uri, version, file: new SourceFile(uri, text) });
  }

  /** Each change applies to the result of the previous one. */
  change(uri: string, version: number, changes: readonly DocumentChange[]): OpenDocument | undefined {
    const document = this.#documents.get(uri);
    if (document === undefined) return undefined;
    let { file } = document;
    for (const { range, text } of changes) file = new SourceFile(uri, changed(file, range, text));
    const now = { uri, version, file };
    this.#documents.set(uri, now);
    return now;
  }

  close(uri: string): void {
    this.#documents.delete(uri);
  }
}

function changed(file: SourceFile, range: Range | undefined, text: string): string {
  if (range === undefined) return text;
  const start = offsetAt(file, range.start);
  const end = Math.max(start, offsetAt(file, range.end));
  return file.text.slice(0, start) + text + file.text.slice(end);
}
