import { expect, test } from 'vitest'
import { activityHtml, withoutSlashes } from './text.ts'

const names: Readonly<Record<number, string>> = { 3: 'kai' }
const html = (content: string) => activityHtml(content, (id) => names[id])

test('slashes that WordPress added are removed', () => {
  expect(withoutSlashes(String.raw`it\'s \"quoted\" \\ and \\n`)).toBe(String.raw`it's "quoted" \ and \n`)
  expect(withoutSlashes('ends with \\')).toBe('ends with ')
})

test('empty lines separate paragraphs, other line breaks stay', () => {
  expect(html('One\ntwo\r\n\r\n\nthree')).toBe('<p>One<br>two</p><p>three</p>')
  expect(html('')).toBe('')
  expect(html('<p>One\ntwo</p>\n\n<ul>\n<li>three</li>\n</ul>')).toBe('<p>One<br>two</p><ul><li>three</li></ul>')
  expect(html('a <b>bold\n\nstill</b> z')).toBe('<p>a <b>bold<br><br>still</b> z</p>')
  expect(html('<pre>a\n\n b</pre>')).toBe('<pre>a\n\n b</pre>')
  expect(html('one<br />\ntwo')).toBe('<p>one<br />two</p>')
})

test('links of mentions become mentions', () => {
  const old = `<a class='bp-suggestions-mention' href='https://x.example/members/ana/' rel='nofollow'>@ana</a> hello`
  expect(html(old)).toBe('<p>@ana hello</p>')
  expect(html(`<a href="https://x.example/members/ana/" rel="nofollow">@ana</a>`)).toBe('<p>@ana</p>')
  expect(html(`<a href="https://x.example/shop">@home</a>`)).toBe('<p><a href="https://x.example/shop">@home</a></p>')
})

test('a mention by id has the name that the person has now', () => {
  const link = (id: number) => `<a class='bp-suggestions-mention' data-bb-hp-profile='${id}' href='{{mention_user_id_${id}}}'>@old-name</a>`
  expect(html(link(3))).toBe('<p>@kai</p>')
  expect(html(link(4))).toBe('<p>@old-name</p>')
})

test('other markup, entities and unfinished tags are kept for the sanitizer', () => {
  expect(html('<a href="alert(1)">x</a> &amp; &#x26f5; 1 < 2')).toBe('<p><a href="alert(1)">x</a> &amp; &#x26f5; 1 < 2</p>')
  expect(html('text <!-- note --> more')).toBe('<p>text  more</p>')
})

test('hostile texts take linear time', () => {
  const started = performance.now()
  html('<a '.repeat(50_000))
  html(`<a class='bp-suggestions-mention'>@`.repeat(50_000))
  html(`${' '.repeat(100_000)}x${'\n'.repeat(100_000)}y`)
  html('<b>'.repeat(50_000))
  expect(performance.now() - started).toBeLessThan(4000)
})
