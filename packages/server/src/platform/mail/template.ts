export interface Letter {
  readonly subject: string
  readonly text: string
  readonly html: string
}

interface Layout {
  readonly title: string
  /** Plain text, one entry a paragraph; nothing in it is read as HTML. */
  readonly paragraphs: readonly string[]
  /** One button; its address is http(s). */
  readonly action?: { readonly label: string; readonly url: string }
  /** Why the mail came, in plain text. */
  readonly footer: string
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as it may stand in HTML, between tags and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char]!)

const FONT = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

const STYLE = `
    :root { color-scheme: light dark; supported-color-schemes: light dark; }
    @media (prefers-color-scheme: dark) {
      .page { background: #16181d !important; }
      .card { background: #22252c !important; border-color: #343842 !important; }
      .ink { color: #f2f3f5 !important; }
      .soft { color: #a6abb7 !important; }
      .button { background: #8ea2ff !important; }
      .label { color: #16181d !important; }
    }
    @media (max-width: 600px) { .card { padding: 24px !important; } }`

const paragraph = (text: string) =>
  `<p class="ink" style="margin:0 0 16px;font:16px/1.6 ${FONT};color:#2b2f38;">${escapeHtml(text).replace(/\n/g, '<br>\n')}</p>`

const button = (label: string, url: string) => `
              <table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px;">
                <tr><td class="button" bgcolor="#3f51d9" style="border-radius:8px;background:#3f51d9;">
                  <a class="label" href="${escapeHtml(url)}"
                    style="display:inline-block;padding:12px 24px;font:600 16px/1.25 ${FONT};color:#ffffff;text-decoration:none;">${escapeHtml(label)}</a>
                </td></tr>
              </table>
              <p class="soft" style="margin:0;font:13px/1.6 ${FONT};color:#69707f;word-break:break-all;">
                Or open this address:<br>
                <a class="soft" href="${escapeHtml(url)}" style="color:#69707f;">${escapeHtml(url)}</a>
              </p>`

/** The one look of all mail, as HTML and as plain text that say the same. */
export const layout = ({ title, paragraphs, action, footer }: Layout): Omit<Letter, 'subject'> => {
  if (action && !/^https?:\/\/[^\s<>"]+$/.test(action.url)) throw new Error('The address of a button must be http or https.')
  const text = [title, ...paragraphs, ...(action ? [`${action.label}:\n${action.url}`] : []), `-- \n${footer}`].join('\n\n')
  const html = `<!doctype html>
<html lang="en" dir="auto">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark">
    <title>${escapeHtml(title)}</title>
    <style>${STYLE}
    </style>
  </head>
  <body class="page" style="margin:0;padding:0;background:#f3f4f7;">
    <table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f3f4f7;">
      <tr>
        <td align="center" style="padding:32px 16px;">
          <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;">
            <tr><td class="card" align="left" style="padding:40px;background:#ffffff;border:1px solid #e2e5ea;border-radius:12px;">
              <h1 class="ink" style="margin:0 0 24px;font:600 24px/1.3 ${FONT};color:#14171d;">${escapeHtml(title)}</h1>
              ${paragraphs.map(paragraph).join('\n              ')}${action ? button(action.label, action.url) : ''}
            </td></tr>
            <tr><td align="left" style="padding:20px 40px;">
              <p class="soft" style="margin:0;font:13px/1.6 ${FONT};color:#69707f;">${escapeHtml(footer)}</p>
            </td></tr>
          </table>
        </td>
      </tr>
    </table>
  </body>
</html>
`
  return { text: `${text}\n`, html }
}
