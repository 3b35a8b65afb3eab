// What was rendered as one text, as the engine's own program writes it.
import { sanitizeLine } from '../../diagnostic/sanitize.ts';
import type { RenderedObject } from '../../render/engine/render-request.ts';

/** A stream of one document each; a template's name stands before its objects as Helm writes it. */
export function documentStream(objects: readonly RenderedObject[]): string {
  return objects
    .map(({ text, template }, i) => {
      const body = text.endsWith('\n') ? text : `${text}\n`;
      if (template !== undefined) return `---\n# Source: ${sanitizeLine(template)}\n${body}`;
      return i === 0 ? body : `---\n${body}`;
    })
    .join('');
}
