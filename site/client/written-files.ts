// Splits a text into files. A line `# file: overlays/live/kustomization.yaml` starts a file; other tools read it as a comment.

export interface WrittenFile {
  /** Path from the top, without `.` and `..`. */
  readonly path: string;
  readonly text: string;
  /** Number of lines before the file in the whole text. */
  readonly before: number;
}

/** `mistake`: an invalid or duplicate path, or content before the first file. */
export type WrittenFiles = { readonly files: readonly WrittenFile[] } | { readonly mistake: string };

const BEGINS = /^# file:[ \t]*(.*?)[ \t]*$/;
/** The file names that kustomize accepts. */
const KUSTOMIZATION = /(?:^|\/)(?:kustomization\.ya?ml|Kustomization)$/;

/** True if the text must be built before evaluation. Runs at every keystroke, so it does not validate the text. */
export function isRendered(text: string): boolean {
  return text.split('\n').some((line) => KUSTOMIZATION.test(BEGINS.exec(line)?.[1] ?? ''));
}

export function filesIn(text: string): WrittenFiles {
  const files = new Map<string, WrittenFile>();
  const lines = text.split('\n');
  const starts = lines.flatMap((line, at) => (BEGINS.test(line) ? [at] : []));
  const above = lines.slice(0, starts[0]).findIndex((line) => /^\s*[^\s#-]/.test(line));
  if (above >= 0) return { mistake: `Line ${above + 1} is outside all files: write \`# file: \` and a path above it` };
  for (const [index, at] of starts.entries()) {
    const path = BEGINS.exec(lines[at] ?? '')?.[1] ?? '';
    const isWrong = path.startsWith(`${PLAYGROUND}/`) || path.split('/').some((part) => /^\.{0,2}$/.test(part));
    if (isWrong) return { mistake: `Line ${at + 1}: \`${path}\` is not a file path from the top of a repository` };
    if (files.has(path)) return { mistake: `Line ${at + 1}: there are two files \`${path}\`` };
    files.set(path, { path, text: lines.slice(at + 1, starts[index + 1]).join('\n'), before: at + 1 });
  }
  return { files: [...files.values()] };
}

/** Folder of the other editors' texts. */
export const PLAYGROUND = '.playground';
