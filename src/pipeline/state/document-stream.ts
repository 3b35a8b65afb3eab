// Prints rendered objects as one text, like the engine's own program.
import { sanitizeLine } from '../../diagnostic/sanitize.ts';
import type { RenderedObject } from '../../render/engine/render-request.ts';

/** One YAML document per object. Like Helm, writes the template's name before its objects. */
export function documentStream(objects: readonly RenderedObject[]): string {
  return objects
    .map(({ text, template }, i) => {
      const body = text.endsWith('\n') ? text : `${text}\n`;
      if (template !== undefined) return `---\n# Source: ${sanitizeLine(template)}\n${body}`;
      return i === 0 ? body : `---\n${body}`;
    })
    .join('');
}
