import { describe, expect, test } from 'vitest'
import { type ContentType, render } from './render.ts'
import { sanitize } from './sanitize.ts'

const REL = 'rel="nofollow noopener ugc"'

describe('markdown', () => {
  test.each<[string, string]>([
    ['', ''],
    ['Hello *there* **you**', '<p>Hello <em>there</em> <strong>you</strong></p>'],
    ['# One\n\n## Two', '<h1>One</h1>\n<h2>Two</h2>'],
    ['one\ntwo  \nthree', '<p>one\ntwo<br />\nthree</p>'],
    ['- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
    ['> quote', '<blockquote>\n<p>quote</p>\n</blockquote>'],
    ['`a < b`', '<p><code>a &lt; b</code></p>'],
    ['```js x\n"<b>"\n```', '<pre><code class="language-js">"&lt;b&gt;"\n</code></pre>'],
    ['```a"onclick=x\n```', '<pre><code></code></pre>'],
    ['~~gone~~', '<p><s>gone</s></p>'],
    ['---', '<hr />'],
    [
      '|a|b|c|\n|:-|-:|-|\n|1|2|3|',
      '<table>\n<thead>\n<tr>\n<th align="left">a</th>\n<th align="right">b</th>\n<th>c</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align="left">1</td>\n<td align="right">2</td>\n<td>3</td>\n</tr>\n</tbody>\n</table>',
    ],
    ['[a](https://e.example/x "t")', `<p><a href="https://e.example/x" title="t" ${REL}>a</a></p>`],
    ['[a][r]\n\n[r]: https://e.example', `<p><a href="https://e.example" ${REL}>a</a></p>`],
    ['<https://e.example>', `<p><a href="https://e.example" ${REL}>https://e.example</a></p>`],
    ['see https://e.example/a_b_c, ok', `<p>see <a href="https://e.example/a_b_c" ${REL}>https://e.example/a_b_c</a>, ok</p>`],
    ['www.e.example/x', `<p><a href="http://www.e.example/x" ${REL}>www.e.example/x</a></p>`],
    ['ann@e.example', `<p><a href="mailto:ann@e.example" ${REL}>ann@e.example</a></p>`],
    ['main.rs ftp://e.example //e.example', '<p>main.rs ftp://e.example //e.example</p>'],
    ['![alt *x*](https://e.example/i.png "t")', '<p><img src="https://e.example/i.png" alt="alt x" title="t" /></p>'],
    ['![x](data:image/png;base64,AAAA)', '<p>![x](data:image/png;base64,AAAA)</p>'],
    ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
    ['[x](/spaces/y) [z](//e.example) [q](#top)', `<p><a href="/spaces/y" ${REL}>x</a> [z](//e.example) [q](#top)</p>`],
    ['[x](/\\\\e.example) [y](/) [z](</a b>)', `<p>[x](/\\e.example) <a href="/" ${REL}>y</a> [z](&lt;/a b&gt;)</p>`],
    ['[x](<https://e.example/a b>)', `<p>[x](&lt;<a href="https://e.example/a" ${REL}>https://e.example/a</a> b&gt;)</p>`],
    ['[x](https://e.example\\\\@f.example)', `<p>[x](<a href="https://e.example" ${REL}>https://e.example</a>\\@f.example)</p>`],
    ['<b>raw</b> &amp; &copy; <!-- c -->', '<p>&lt;b&gt;raw&lt;/b&gt; &amp; © &lt;!-- c --&gt;</p>'],
    ['<div>\n*x*\n</div>', '<p>&lt;div&gt;\n<em>x</em>\n&lt;/div&gt;</p>'],
    ['a\0b', '<p>a\uFFFDb</p>'],
    ['a\r\nb', '<p>a\nb</p>'],
  ])('%j', (source, html) => expect(render(source, 'markdown')).toBe(html))

  test('lists keep their text eleven deep, quotes 23', () => {
    const list = Array.from({ length: 11 }, (_, i) => `${'  '.repeat(i)}- item${i}`).join('\n')
    expect(render(list, 'markdown')).toContain('item10')
    expect(render(`${'> '.repeat(23)}deep`, 'markdown')).toContain('deep')
  })

  test('a table wider than 64 columns, or with rows that only fill up, stays small', () => {
    const wide = `${'a|'.repeat(200)}\n${'-|'.repeat(200)}\nx`
    expect(render(wide, 'markdown')).not.toContain('<table>')
    const filled = `${'a|'.repeat(26)}\n${'-|'.repeat(26)}\n${'x\n'.repeat(2500)}\n`.repeat(12)
    expect(render(filled, 'markdown').split('<td>').length).toBeLessThan(11_000)
  })
})

test.each<ContentType>(['text', 'document', 'survey', 'video', 'audio'])('%s is markdown that keeps line breaks', (type) => {
  expect(render('one *two*\nthree <i>', type)).toBe('<p>one <em>two</em><br />\nthree &lt;i&gt;</p>')
})

describe('html', () => {
  test.each<[string, string]>([
    ['<p>Hi <strong>you</strong></p>', '<p>Hi <strong>you</strong></p>'],
    ['<P>Hi<BR>you', '<p>Hi<br />you</p>'],
    ['5 < 6 & 7 > 6 &nbsp;"', '5 &lt; 6 &amp; 7 &gt; 6 \u00a0"'],
    ['<h1>a</h1><h6>b</h6><hr>', '<h1>a</h1><h6>b</h6><hr />'],
    ['<section>a</section><main>b</main>', '<div>a</div><div>b</div>'],
    [
      '<a href="https://e.example" target=_blank rel=opener onclick=x id=i name=n title=t>x</a>',
      `<a href="https://e.example" title="t" ${REL}>x</a>`,
    ],
    ['<a href="mailto:a@e.example">x</a>', `<a href="mailto:a@e.example" ${REL}>x</a>`],
    ['<a href="https://e.example/?a=1&amp;b=&quot;">x</a>', 'x'],
    ['<a href="https://e.example/?a=1&b=2">x</a>', `<a href="https://e.example/?a=1&amp;b=2" ${REL}>x</a>`],
    ['<a href="/x">x</a><a>y</a><a name=z>z</a>', `<a href="/x" ${REL}>x</a>yz`],
    ['<a href="//e.example">x</a><a href="/\\e.example">y</a><a href="/&#9;/e.example">z</a>', 'xyz'],
    [
      '<a href="https://a.example">x<a href="https://b.example">y</a></a>',
      `<a href="https://a.example" ${REL}>x</a><a href="https://b.example" ${REL}>y</a>`,
    ],
    [
      '<img src="https://e.example/i.png" alt="" width=10 height=1e9 onerror=x srcset=y style=z>',
      '<img src="https://e.example/i.png" alt="" width="10" />',
    ],
    ['<img src="data:image/png,x"><img src="/x.png"><img>', ''],
    [
      '<code class="language-js evil">x</code><code class="language-c++">y</code><p class="x">z</p>',
      '<code>x</code><code class="language-c++">y</code><p>z</p>',
    ],
    ['<td>x</td><li>y</li><tr>z</tr>', 'xyz'],
    ['<ul><li>a<li>b<p>c<li>d</ul>', '<ul><li>a</li><li>b<p>c</p></li><li>d</li></ul>'],
    [
      '<table><tr><td colspan=2 rowspan=0 align=center>a<td colspan=99 rowspan=21>b<tr><td>c</table>',
      '<table><tr><td align="center" colspan="2">a</td><td>b</td></tr><tr><td>c</td></tr></table>',
    ],
    ['<p>a<b>b<div>c</div></b></p>', '<p>a<b>b</b></p><div>c</div>'],
    ['<h1>a<p>b</p></h1>', '<h1>ab</h1>'],
    ['<b>open', '<b>open</b>'],
    ['</b>closed', 'closed'],
    [
      '<script>x</script><style>y</style><iframe>z</iframe><svg><p>q</p></svg><math>r</math><form>s</form><button>t</button>',
      '<div>s</div>t',
    ],
    ['a<!-- b -->c<![CDATA[d]]><?e?>f', 'acf'],
  ])('%j', (source, html) => {
    expect(render(source, 'html')).toBe(html)
    expect(sanitize(html)).toBe(html)
  })

  test('no more than 64 elements deep', () => {
    expect(render(`${'<b>'.repeat(1000)}x`, 'html')).toBe(`${'<b>'.repeat(64)}x${'</b>'.repeat(64)}`)
  })
})

test('with an origin, site paths become absolute', () => {
  const origin = 'https://c.example'
  expect(render('[x](/a) ![](/b.png)', 'markdown', { origin })).toBe(
    `<p><a href="https://c.example/a" ${REL}>x</a> <img src="https://c.example/b.png" alt="" /></p>`,
  )
  expect(render('<a href="/a">x</a><a href="//e.example">y</a><a href="/\\e.example">z</a>', 'html', { origin })).toBe(
    `<a href="https://c.example/a" ${REL}>x</a>yz`,
  )
})
