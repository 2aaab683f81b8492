import { type Block, block, blockText } from './components.ts'
import { escapeHtml, FONT, lineOf, requireAddress } from './html.ts'
import { styleSheet, type Theme, themeOf } from './theme.ts'

export type { Block, Item } from './components.ts'
export { escapeHtml, isolateDirection } from './html.ts'

export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The community that sends the mail: name, URL and main color (#rrggbb). */
export interface Brand {
  readonly name: string
  readonly url: string
  readonly color: string
  /** Plain text at the end of every mail. */
  readonly footer?: string
}

interface Link {
  readonly label: string
  readonly url: string
}

export interface Layout {
  /** Shown above the card. Without it, the mail begins with its title. */
  readonly brand?: Brand
  readonly title: string
  /** Preview text that mail clients show after the subject; hidden in the mail itself. */
  readonly preview?: string
  /** Plain text, one entry per paragraph; escaped. */
  readonly paragraphs?: readonly string[]
  readonly blocks?: readonly Block[]
  /** A button at the end of the card with an http(s) URL. `spelled`: the URL is also shown below the button. */
  readonly action?: Link & { readonly spelled?: boolean }
  /** Plain text that explains why the recipient got the mail. */
  readonly footer: string
  readonly links?: readonly Link[]
}

const DEFAULT_COLOR = '#3f51d9'

const masthead = ({ name, url }: Brand, { button, label }: Theme) => `
            <tr><td style="padding:0 8px 20px;">
              <a href="${escapeHtml(requireAddress(url))}" style="text-decoration:none;">
                <table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
                  <td width="32" valign="top"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
                    <td class="button label" width="32" height="32" align="center" valign="middle" bgcolor="${button}"
                      style="width:32px;height:32px;border-radius:8px;background:${button};font:700 16px/32px ${FONT};color:${label};">
                      ${escapeHtml(initial(name))}</td>
                  </tr></table></td>
                  <td class="ink" dir="auto" style="padding:0 12px;font:600 16px/1.3 ${FONT};color:#14171d;">${escapeHtml(name)}</td>
                </tr></table>
              </a>
            </td></tr>`

const initial = (name: string) => ([...name.replace(/[^\p{L}\p{N}]/gu, '')][0] ?? '•').toUpperCase()

const footerLinks = (links: readonly Link[]) =>
  links.length === 0
    ? ''
    : `
              <p class="soft" style="margin:8px 0 0;font:13px/1.6 ${FONT};color:#69707f;">
                ${links
                  .map(
                    ({ label, url }) =>
                      `<a class="soft" href="${escapeHtml(requireAddress(url))}"\n                  style="color:#69707f;text-decoration:underline;">${escapeHtml(label)}</a>`,
                  )
                  .join('\n                &nbsp;·&nbsp; ')}
              </p>`

const footnote = (brand: Brand | undefined) =>
  brand?.footer
    ? `
              <p class="soft" dir="auto" style="margin:8px 0 0;font:13px/1.6 ${FONT};color:#69707f;overflow-wrap:anywhere;white-space:pre-line;">${escapeHtml(brand.footer)}</p>`
    : ''

/** An invisible element. The spaces keep the text that follows out of the preview. */
const hidden = (preview: string) => `
    <div style="display:none;max-height:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;color:transparent;">
      ${lineOf(preview)}${'&#8199;&#847; '.repeat(40)}
    </div>`

const textOf = ({ brand, title, footer, links = [] }: Layout, parts: readonly Block[]) =>
  [
    ...(brand ? [brand.name] : []),
    title,
    ...parts.map(blockText),
    ['-- ', footer, ...(brand?.footer ? [brand.footer] : []), ...links.map(({ label, url }) => `${label}: ${url}`)].join('\n'),
  ].join('\n\n')

/** Renders a mail in the common layout, as HTML and as equivalent plain text. */
export const layout = (given: Layout): Omit<MailContent, 'subject'> => {
  const { brand, title, preview, paragraphs = [], blocks = [], action, footer, links = [] } = given
  const look = themeOf(brand?.color ?? DEFAULT_COLOR)
  const parts: Block[] = [
    ...paragraphs.map((text): Block => ({ kind: 'text', text })),
    ...blocks,
    ...(action ? [{ kind: 'button', ...action, spelled: action.spelled ?? true } as const] : []),
  ]
  const html = `<!doctype html>
<html lang="en" dir="ltr">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark">
    <meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
    <title>${escapeHtml(title)}</title>
    <style>${styleSheet(look)}
    </style>
  </head>
  <body class="page" style="margin:0;padding:0;background:#f3f4f7;">${preview ? hidden(preview) : ''}
    <table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f3f4f7;">
      <tr>
        <td class="around" align="center" style="padding:40px 16px;">
          <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;text-align:start;">${brand ? masthead(brand, look) : ''}
            <tr><td class="card" style="padding:40px;background:#ffffff;border:1px solid #e2e5ea;border-radius:16px;">
              <h1 class="ink" style="margin:0 0 20px;font:700 24px/1.3 ${FONT};color:#14171d;letter-spacing:-0.01em;overflow-wrap:anywhere;">${escapeHtml(title)}</h1>
              ${parts.map((part, index) => block(part, look, index === parts.length - 1)).join('\n              ')}
            </td></tr>
            <tr><td class="foot" style="padding:24px 40px 0;">
              <p class="soft" style="margin:0;font:13px/1.6 ${FONT};color:#69707f;overflow-wrap:anywhere;">${escapeHtml(footer)}</p>${footnote(brand)}${footerLinks(links)}
            </td></tr>
          </table>
        </td>
      </tr>
    </table>
  </body>
</html>
`
  return { text: `${textOf(given, parts)}\n`, html }
}
