import { hash } from 'node:crypto'
import { escapeHtml } from '../../mail/layout.ts'

const STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f5f6f8, #16181d);
  --card: light-dark(#ffffff, #22252c);
  --line: light-dark(#dfe2e8, #343842);
  --ink: light-dark(#1c1f26, #f2f3f5);
  --soft: light-dark(#596070, #a6abb7);
  --accent: light-dark(#3f51d9, #a3b1ff);
  font: 16px/1.55 system-ui, sans-serif;
  color: var(--ink);
  background: var(--page);
}
body { margin: 0 auto; padding: clamp(2rem, 9vh, 6rem) 1.25rem 3rem; max-width: 46rem }
header { display: flex; align-items: center; gap: 1rem }
svg { flex: none; width: 3.25rem; height: 3.25rem; color: var(--accent) }
h1 { font-size: clamp(1.9rem, 6vw, 2.5rem); line-height: 1.1; letter-spacing: -.02em; margin: 0 }
header p { margin: .25rem 0 0; color: var(--soft) }
nav { display: grid; grid-template-columns: repeat(auto-fit, minmax(12.5rem, 1fr)); gap: .875rem; margin: 2.25rem 0 }
nav a { display: block; padding: 1.1rem 1.2rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; color: inherit; text-decoration: none }
nav a:hover { border-color: var(--accent) }
nav strong { display: block; color: var(--accent) }
nav span { color: var(--soft); font-size: .925rem }
h2 { font-size: 1.15rem; margin: 0 0 .75rem }
ol { margin: 0; padding: 0 0 0 1.25rem }
li { margin: 0 0 1rem }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
p code, li > code { background: var(--card); border: 1px solid var(--line); border-radius: 5px; padding: .05em .35em }
pre { margin: .5rem 0 0; padding: .8rem 1rem; overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`

/** Allows only the style of the page itself. */
export const START_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  'img-src data:',
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const PORTICO =
  '<svg viewBox="0 0 48 48" fill="currentColor" aria-hidden="true"><path d="M24 4 4 14v4h40v-4zM8 21h5v15H8zM21.5 21h5v15h-5zM35 21h5v15h-5zM5 39h38v4H5z"/></svg>'

interface StartPage {
  readonly apiRoot: string
  /** Public origin without a trailing slash. */
  readonly origin: string
}

/** The page at `/` for browsers. */
export const startPage = ({ apiRoot, origin }: StartPage) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Lyceum</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header>
${PORTICO}
<div>
<h1>Lyceum</h1>
<p>This community server is running.</p>
</div>
</header>
<main>
<nav aria-label="Documents">
<a href="/docs"><strong>API reference</strong><span>Read it, and try each operation</span></a>
<a href="${escapeHtml(apiRoot)}/openapi.json"><strong>OpenAPI document</strong><span>For generators and other programs</span></a>
<a href="/health/ready"><strong>Health</strong><span>Whether it takes requests</span></a>
</nav>
<h2>First steps</h2>
<ol>
<li>Make the administrator’s account with the one-time link that the first start printed.</li>
<li>Make an application password, which programs sign in with:
<pre><code>npx lyceum user app-password USERNAME --name laptop</code></pre></li>
<li>Ask for the newest posts:
<pre><code>curl -u 'USERNAME:APPLICATION PASSWORD' ${escapeHtml(origin + apiRoot)}/feeds</code></pre></li>
</ol>
</main>
</body>
</html>
`
