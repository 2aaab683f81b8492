import { hash } from 'node:crypto'
import { textOn } from '../../../mail/colors.ts'
import { type Brand, escapeHtml } from '../../../mail/layout.ts'
import type { UnsubscribeKind } from './unsubscribe-token.ts'

const DESCRIPTIONS: Readonly<Record<UnsubscribeKind, string>> = {
  new_comment: 'mail about comments and replies to what you wrote',
  new_reaction: 'mail about reactions to what you wrote',
  new_follower: 'mail about new followers',
  mention: 'mail about mentions of you',
  space_invite: 'mail about spaces that you are added to',
  digest: 'the digest',
  all: 'any notifications or digests by mail',
}

const styleFor = (color: string) => `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 28rem; margin: 12vh auto; padding: 0 1.25rem }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .75rem }
p { overflow-wrap: anywhere }
button { margin-top: .75rem; padding: .7rem 1.4rem; font: inherit; font-weight: 600; color: ${textOn(color)}; background: ${color}; border: 1px solid light-dark(#0002, #fff3); border-radius: 8px; cursor: pointer }
button.quiet { color: inherit; background: none; border-color: light-dark(#767676, #8a8a8a) }
a { color: inherit }
small { color: light-dark(#595959, #b5b5b5); font-size: .875rem }
:focus-visible { outline: 3px solid light-dark(#0b57d0, #a8c7fa); outline-offset: 2px }
`

export interface Page {
  readonly html: string
  readonly policy: string
}

const page = ({ name, color }: Brand, title: string, content: string): Page => {
  const style = styleFor(color)
  return {
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(`${title} · ${name}`)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`,
    policy: [
      "default-src 'none'",
      `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
  }
}

/** Asks for confirmation, because link scanners open every link of a mail. */
export const confirmPage = (brand: Brand, kind: UnsubscribeKind): Page =>
  page(
    brand,
    'Unsubscribe?',
    `<p>You will no longer get ${escapeHtml(DESCRIPTIONS[kind])} from <b dir="auto">${escapeHtml(brand.name)}</b>.</p>
<form method="post"><button>Unsubscribe</button></form>`,
  )

/** `everything` is the URL that turns off all other mail, too. */
export const donePage = (
  brand: Brand,
  kind: UnsubscribeKind,
  { preferences, everything }: { preferences: string; everything: string },
): Page =>
  page(
    brand,
    'You are unsubscribed',
    `<p>You will no longer get ${escapeHtml(DESCRIPTIONS[kind])} from <b dir="auto">${escapeHtml(brand.name)}</b>.</p>
<p><small>You can switch it on again in <a href="${escapeHtml(preferences)}">your settings</a>.</small></p>${
      kind === 'all'
        ? ''
        : `
<form method="post" action="${escapeHtml(everything)}"><button class="quiet">Unsubscribe from everything</button></form>`
    }`,
  )

export const unknownPage = (brand: Brand, preferences: string): Page =>
  page(
    brand,
    'This link does not work',
    `<p>It may have been cut off or copied only in part. What mail you get can also be changed in <a href="${escapeHtml(preferences)}">your settings</a>.</p>`,
  )
