import { renderTemplate } from '@lyceum/content'
import type { Brand } from './brand.ts'
import { componentText, type MailComponent, viewComponent } from './components.ts'
import { lineOf, requireAddress } from './html.ts'
import { INITIALS, MAIL } from './templates.ts'
import { directionOf, textsIn } from './texts/index.ts'
import type { Language } from './texts/shape.ts'
import { themeOf } from './theme.ts'

export type { Brand } from './brand.ts'
export type { Item, MailComponent } from './components.ts'
export { isolateDirection } from './html.ts'

export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
}

interface Link {
  readonly label: string
  readonly url: string
}

export interface Layout {
  /** Default: English. */
  readonly lang?: Language
  /** Shown above the card. Without it, the mail begins with its title. */
  readonly brand?: Brand
  readonly title: string
  /** Preview text that mail clients show after the subject; hidden in the mail itself. */
  readonly preview?: string
  /** Plain text, one entry per paragraph; escaped. */
  readonly paragraphs?: readonly string[]
  readonly components?: readonly MailComponent[]
  /** A button at the end of the card with an http(s) URL. `spelled`: the URL is also shown below the button. */
  readonly action?: Link & { readonly spelled?: boolean }
  /** Plain text that explains why the recipient got the mail. */
  readonly footer: string
  readonly links?: readonly Link[]
}

const DEFAULT_COLOR = '#3f51d9'

const FONT = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
const ANYWHERE = 'overflow-wrap:anywhere;word-break:break-word;'
/** Invisible characters that keep the text of a mail out of its preview. */
const PREVIEW_END = '&#8199;&#847; '.repeat(40)

const render = (view: object): string => renderTemplate(MAIL, view, { initials: INITIALS })

const initial = (name: string) => ([...name.replace(/[^\p{L}\p{N}]/gu, '')][0] ?? '•').toUpperCase()

const textOf = ({ brand, title, footer, links = [] }: Layout, parts: readonly MailComponent[]) =>
  [
    ...(brand ? [brand.name] : []),
    title,
    ...parts.map(componentText),
    ['-- ', footer, ...(brand?.footer ? [brand.footer] : []), ...links.map(({ label, url }) => `${label}: ${url}`)].join('\n'),
  ].join('\n\n')

/** Renders a mail in the common layout, as HTML and as equivalent plain text. */
export const layout = (given: Layout): Omit<MailContent, 'subject'> => {
  const { brand, lang = 'en', title, preview, paragraphs = [], components = [], action, footer, links = [] } = given
  const parts: MailComponent[] = [
    ...paragraphs.map((text): MailComponent => ({ kind: 'text', text })),
    ...components,
    ...(action ? [{ kind: 'button', ...action, spelled: action.spelled ?? true } as const] : []),
  ]
  const html = render({
    lang,
    dir: directionOf(lang),
    orOpen: textsIn(lang).orOpen,
    font: FONT,
    anywhere: ANYWHERE,
    look: themeOf(brand?.color ?? DEFAULT_COLOR),
    title,
    preview: preview ? { html: lineOf(preview), spaces: PREVIEW_END } : null,
    masthead: brand ? { name: brand.name, initial: initial(brand.name), url: requireAddress(brand.url) } : null,
    components: parts.map((part, index) => viewComponent(part, index === parts.length - 1)),
    footer,
    footnote: brand?.footer || null,
    hasLinks: links.length > 0,
    links: links.map(({ label, url }, index) => ({ label, url: requireAddress(url), first: index === 0 })),
  })
  return { text: `${textOf(given, parts)}\n`, html }
}
