import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Parser } from 'htmlparser2'

/** An independent check of rendered content: written separately from the renderer's allowlist, and with another parser. */
const SAFE_TAGS = new Set(
  (
    'p h1 h2 h3 h4 h5 h6 blockquote pre div figure figcaption details summary ul ol li dl dt dd table caption thead tbody tfoot tr th td ' +
    'strong em b i u s del ins sub sup mark small kbd samp var q cite span abbr code a img br hr'
  ).split(' '),
)

const SAFE_ATTRIBUTES: Record<string, RegExp> = {
  'a.href': /^(?:https?:\/\/[^\s\\<>"]+|mailto:[^\s\\<>"]+@[^\s\\<>"]+|\/(?!\/)[^\s\\<>"]*)$/i,
  'a.title': /^/,
  'a.rel': /^nofollow noopener ugc$/,
  'a.class': /^mention$/,
  'img.src': /^https?:\/\/[^\s\\<>"]+$/i,
  'img.alt': /^/,
  'img.title': /^/,
  'img.width': /^\d{1,4}$/,
  'img.height': /^\d{1,4}$/,
  'code.class': /^language-[\w+#.-]+$/,
  'abbr.title': /^/,
  'ol.start': /^\d{1,9}$/,
  'td.align': /^(?:left|center|right)$/,
  'th.align': /^(?:left|center|right)$/,
  'td.colspan': /^\d{1,2}$/,
  'td.rowspan': /^\d{1,2}$/,
  'th.colspan': /^\d{1,2}$/,
  'th.rowspan': /^\d{1,2}$/,
}

const OWN = 'http://own.example'
const PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])

function attributeProblem(tag: string, name: string, value: string): string | null {
  const pattern = Object.hasOwn(SAFE_ATTRIBUTES, `${tag}.${name}`) ? SAFE_ATTRIBUTES[`${tag}.${name}`]! : null
  if (!pattern) return `attribute ${tag}.${name}`
  if (!pattern.test(value)) return `value of ${tag}.${name}: ${value}`
  if (name !== 'href' && name !== 'src') return null
  const { protocol, origin } = new URL(value, OWN)
  if (!PROTOCOLS.has(protocol)) return `scheme of ${value}`
  if (value.startsWith('/') && origin !== OWN) return `path to elsewhere: ${value}`
  return null
}

/** Everything in a fragment that rendered content must not contain; empty if it is safe. */
export function unsafeParts(html: string): string[] {
  const problems: string[] = []
  const stack: string[] = []
  const parser = new Parser({
    onopentag(tag, attributes, implied) {
      if (implied) problems.push(`implied <${tag}>`)
      if (!SAFE_TAGS.has(tag)) problems.push(`tag ${tag}`)
      if (tag === 'a' && !attributes.href) problems.push('link without address')
      if (tag === 'a' && attributes.rel === undefined) problems.push('link without rel')
      for (const [name, value] of Object.entries(attributes)) {
        const problem = attributeProblem(tag, name, value)
        if (problem) problems.push(problem)
      }
      stack.push(tag)
    },
    onclosetag(tag, implied) {
      if (implied && !['br', 'hr', 'img'].includes(tag)) problems.push(`unclosed ${tag}`)
      if (stack.pop() !== tag) problems.push(`misnested ${tag}`)
    },
    oncomment: () => problems.push('comment'),
    onprocessinginstruction: () => problems.push('processing instruction'),
    oncdatastart: () => problems.push('CDATA'),
  })
  parser.write(html)
  parser.end()
  return problems
}

/** Real-world Markdown: the READMEs of all installed packages, up to the maximum length of a message. */
export function readmes(): { name: string; text: string }[] {
  const root = fileURLToPath(new URL('../../../node_modules', import.meta.url))
  const packages = readdirSync(root).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(root, name)).map((inner) => join(name, inner)) : [name],
  )
  return packages.flatMap((name) => {
    const folder = join(root, name)
    const file = statSync(folder).isDirectory() ? readdirSync(folder).find((entry) => /^readme\.(?:md|markdown)$/i.test(entry)) : undefined
    const text = file ? readFileSync(join(folder, file), 'utf8') : ''
    return text && Buffer.byteLength(text) <= 15_000 ? [{ name, text }] : []
  })
}
