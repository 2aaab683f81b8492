import { Tokenizer } from 'htmlparser2'

export interface HtmlHandlers {
  /** Called for a start tag, with decoded attribute values. */
  readonly open: (name: string, attributes: ReadonlyMap<string, string>) => void
  readonly close: (name: string) => void
  /** Called for text, decoded. */
  readonly text: (text: string) => void
}

const ignore = () => {}

/** Streams the tags and texts of HTML in linear time, without building a tree. Comments and declarations are skipped. */
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
