// Collects the comments of a YAML text, to verify that an edit keeps them.
import type { Node } from '../node/node.ts';

/** Comments in text order, without surrounding white space. */
export function commentsIn(root: Node, text: string): readonly string[] {
  const scalars = scalarRanges(root, text);
  const comments: string[] = [];
  let next = 0;
  for (let at = text.indexOf('#'); at >= 0; at = text.indexOf('#', at)) {
    while ((scalars[next]?.end ?? text.length) <= at) next += 1;
    const scalar = scalars[next];
    if (scalar !== undefined && scalar.start <= at && at < scalar.end) {
      at = scalar.end;
      continue;
    }
    if (at > 0 && !/\s/.test(text[at - 1] as string)) {
      at += 1;
      continue;
    }
    const end = text.indexOf('\n', at);
    const comment = text.slice(at, end < 0 ? text.length : end);
    comments.push(comment.trimEnd());
    at += comment.length;
  }
  return comments;
}

function scalarRanges(root: Node, text: string): readonly { readonly start: number; readonly end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  const open: Node[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'sequence') for (const item of node.items) open.push(item);
    else if (node.kind === 'mapping') {
      for (const key of node.keys) open.push(key);
      for (const value of node.values) open.push(value);
    } else if (node.kind === 'scalar' && node.end > node.start) ranges.push(contentOf(node, text));
  }
  return ranges.sort((a, b) => a.start - b.start);
}

/** A comment may follow the `|` of a block scalar. */
function contentOf(node: Node & { readonly kind: 'scalar' }, text: string): { start: number; end: number } {
  const isBlock = node.style === 'literal' || node.style === 'folded';
  const header = isBlock ? text.indexOf('\n', node.start) : node.start;
  return { start: Math.min(node.end, Math.max(node.start, header)), end: node.end };
}
