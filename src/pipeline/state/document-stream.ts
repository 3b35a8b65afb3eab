// Prints rendered objects as one text, like the engine's own program.
import { sanitizeLine } from '../../diagnostic/sanitize.ts';
import { isSecretObject, maskedObject } from '../../kubernetes/secret/secret-object.ts';
import { shownLine } from '../../kubernetes/secret/shown-lines.ts';
import type { RenderedObject } from '../../render/engine/render-request.ts';
import { parseRendered } from '../../render/sources/root/rendered-manifest.ts';
import { blockLines } from '../../source/edit/yaml-text.ts';
import { SourceFile } from '../../source/text/source-file.ts';

/** One YAML document per object. Like Helm, writes the template's name before its objects. Hides values of Secrets. */
export function documentStream(objects: readonly RenderedObject[], showsSecrets: boolean): string {
  return objects
    .map(({ text, template }, i) => {
      const shown = showsSecrets ? text : withoutSecretValues(text);
      const body = shown.endsWith('\n') ? shown : `${shown}\n`;
      if (template !== undefined) return `---\n# Source: ${sanitizeLine(template)}\n${body}`;
      return i === 0 ? body : `---\n${body}`;
    })
    .join('');
}

/** Texts of other objects stay as they are. */
export function withoutSecretValues(text: string): string {
  if (!/\bkind\b.*secret/i.test(text)) return text;
  const { manifests, problem } = parseRendered(text);
  if (problem !== undefined) {
    const file = new SourceFile('rendered.yaml', text);
    return file.lineStarts.map((_, index) => shownLine(file, index + 1)).join('\n');
  }
  const masked = manifests.map(({ value }) => maskedObject(value));
  if (masked.every((value, index) => value === manifests[index]?.value && !isSecretObject(value))) return text;
  return masked.map((value) => `${blockLines(value, 0, { step: 2, dash: 0 }).join('\n')}\n`).join('---\n');
}
