// A text that holds several files: a line `# file: overlays/live/kustomization.yaml` begins one. To everybody else it is a comment.

export interface WrittenFile {
  /** From the top, without `.` and `..`. */
  readonly path: string;
  readonly text: string;
  /** How many lines of the whole text are before its first. */
  readonly before: number;
}

/** `mistake`: a path that no file can have, or that two have; or something before the first file. */
export type WrittenFiles = { readonly files: readonly WrittenFile[] } | { readonly mistake: string };

const BEGINS = /^# file:[ \t]*(.*?)[ \t]*$/;
/** As kustomize calls them. */
const KUSTOMIZATION = /(?:^|\/)(?:kustomization\.ya?ml|Kustomization)$/;

/** Whether the text is to be built before it is judged; it is not read for mistakes here, as this is asked with every key. */
export function isRendered(text: string): boolean {
  return text.split('\n').some((line) => KUSTOMIZATION.test(BEGINS.exec(line)?.[1] ?? ''));
}

export function filesIn(text: string): WrittenFiles {
  const files = new Map<string, WrittenFile>();
  const lines = text.split('\n');
  const starts = lines.flatMap((line, at) => (BEGINS.test(line) ? [at] : []));
  const above = lines.slice(0, starts[0]).findIndex((line) => /^\s*[^\s#-]/.test(line));
  if (above >= 0) return { mistake: `Line ${above + 1} is in no file: write \`# file: \` and a path above it` };
  for (const [index, at] of starts.entries()) {
    const path = BEGINS.exec(lines[at] ?? '')?.[1] ?? '';
    const isWrong = path.startsWith(`${PLAYGROUND}/`) || path.split('/').some((part) => /^\.{0,2}$/.test(part));
    if (isWrong) return { mistake: `Line ${at + 1}: \`${path}\` is no path of a file from the top of a repository` };
    if (files.has(path)) return { mistake: `Line ${at + 1}: there are two files \`${path}\`` };
    files.set(path, { path, text: lines.slice(at + 1, starts[index + 1]).join('\n'), before: at + 1 });
  }
  return { files: [...files.values()] };
}

/** Folder of the texts that are not in files. */
export const PLAYGROUND = '.playground';
