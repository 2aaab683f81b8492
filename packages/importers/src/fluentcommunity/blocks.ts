/** Removes the comments that delimit WordPress blocks. Runs in linear time even if comments are not closed. */
const withoutMarks = (markup: string): string => {
  let text = ''
  let from = 0
  for (;;) {
    const start = markup.indexOf('<!--', from)
    const end = start < 0 ? -1 : markup.indexOf('-->', start)
    if (end < 0) return text + markup.slice(from)
    text += markup.slice(from, start)
    from = end + 3
  }
}

const BLOCK_TAG = /<(?:p|h[1-6]|ul|ol|div|figure|table|blockquote|pre|section|hr)[\s>/]/i
const EMBED = /(<div class="wp-block-embed__wrapper">)\s*(https?:\/\/[^\s<>"]+)\s*(<\/div>)/g

const escaped = (address: string) => address.replaceAll('"', '&quot;')

/** Adds paragraph tags to text of the classic editor, which stores none. */
const paragraphs = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => `<p>${part.replaceAll('\n', '<br>\n')}</p>`)
    .join('\n')

/** Converts WordPress block markup to HTML. */
export const htmlOfBlocks = (markup: string): string => {
  const html = withoutMarks(markup.replaceAll('\r\n', '\n'))
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  const withTags = BLOCK_TAG.test(html) ? html : paragraphs(html)
  return withTags.replace(
    EMBED,
    (_, open: string, address: string, close: string) => `${open}<a href="${escaped(address)}">${address}</a>${close}`,
  )
}
