// The head of a self-contained page. Its Content Security Policy allows only the script and style of the page itself.
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import { textDigest } from '../../finding/text-digest.ts';

/** The policy names script and style by digest: no network access, no forms. */
export function documentHead(title: string, style: string, script: string): string {
  const policy = [
    "default-src 'none'",
    `script-src '${digestSource(script)}'`,
    `style-src '${digestSource(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
`;
}

/** Content Security Policy source of a text: `sha256-…` in base64. */
function digestSource(text: string): string {
  const bytes = textDigest(text, 64).match(/../g) ?? [];
  return `sha256-${btoa(bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join(''))}`;
}

export function escapeHtml(text: string): string {
  return sanitizeLine(text).replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
}
