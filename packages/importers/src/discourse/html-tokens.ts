import { Tokenizer } from 'htmlparser2'

export interface HtmlHandlers {
  /** A start tag. Values of attributes are decoded. */
  readonly open: (name: string, attributes: ReadonlyMap<string, string>) => void
  readonly close: (name: string) => void
  /** Decoded text. */
  readonly text: (text: string) => void
}

const ignore = () => {}

/** Reports the tags and texts of HTML in their order, without a tree, in linear time. Comments and declarations are left out. */
export const readHtml = (html: string, { open, close, text }: HtmlHandlers): void => {
  let name = ''
  let attribute = ''
  let value = ''
  let attributes = new Map<string, string>()
  const slice = (start: number, end: number) => html.slice(start, end)
  const opened = () => open(name, attributes)
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => {
        name = slice(start, end).toLowerCase()
        attributes = new Map()
      },
      onattribname: (start, end) => {
        attribute = slice(start, end).toLowerCase()
        value = ''
      },
      onattribdata: (start, end) => {
        value += slice(start, end)
      },
      onattribentity: (codepoint) => {
        value += String.fromCodePoint(codepoint)
      },
      onattribend: () => {
        if (!attributes.has(attribute)) attributes.set(attribute, value)
      },
      onopentagend: opened,
      onselfclosingtag: opened,
      onclosetag: (start, end) => close(slice(start, end).toLowerCase()),
      ontext: (start, end) => text(slice(start, end)),
      ontextentity: (codepoint) => text(String.fromCodePoint(codepoint)),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
}
