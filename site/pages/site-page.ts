// The frame of every page: head with the content security policy, navigation, and the body. Escapes texts.

export interface PageFrame {
  readonly title: string;
  /** Relative to the top of the site. */
  readonly url: string;
  /** HTML of `main`. */
  readonly body: string;
  /** HTML beside `main`; empty for none. */
  readonly aside?: string;
  /** Script files, relative to the top of the site. */
  readonly scripts: readonly string[];
  /** Additional directives of the security policy. */
  readonly policy?: readonly string[];
  readonly kind: 'playground' | 'document';
}

export function sitePage({ title, url, body, aside = '', scripts, policy = [], kind }: PageFrame): string {
  const top = topOf(url);
  const links = [
    ['index.html', 'Playground'],
    ['docs/index.html', 'Documentation'],
    ['README.html', 'About'],
  ] as const;
  const current = (target: string): string => (target === url ? ' aria-current="page"' : '');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${[...POLICY, ...policy].join('; ')}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeText(title)}</title>
<link rel="icon" href="${top}icon.svg">
<link rel="stylesheet" href="${top}style.css">
${scripts.map((script) => `<script type="module" src="${top}${script}"></script>`).join('\n')}
</head>
<body class="${kind}">
<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<a class="home" href="${top}index.html">Preadmit</a>
<nav aria-label="Site"><ul>${links.map(([target, text]) => `<li><a href="${top}${target}"${current(target)}>${text}</a></li>`).join('')}</ul></nav>
</header>
${aside === '' ? '' : `<div class="columns">\n${aside}\n`}<main id="content" tabindex="-1">
${body}
</main>${aside === '' ? '' : '\n</div>'}
</body>
</html>
`;
}

/** No inline script or style, no other host, no frames, no forms. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
];

export function topOf(url: string): string {
  return '../'.repeat(url.split('/').length - 1);
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
