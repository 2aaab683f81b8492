import { describe, expect, test } from 'vitest'
import { plainHtml } from './cooked.ts'
import { hasHtml, plainMarkdown } from './markdown.ts'
import { fileOfUrl, shortNameOf } from './uploads.ts'

describe('Markdown', () => {
  test.each([
    ['![oven|690x388](upload://abc123.png)', '![oven](/uploads/short-url/abc123.png)'],
    ['![oven|690x388, 50%|thumbnail](upload://abc123.png)', '![oven](/uploads/short-url/abc123.png)'],
    ['[list.pdf|attachment](upload://xYz.pdf) (1.2 MB)', '[list.pdf](/uploads/short-url/xYz.pdf) (1.2 MB)'],
    ['![talk|video](upload://xYz.mp4)', '[talk](/uploads/short-url/xYz.mp4)'],
    ['Good :slight_smile: :+1: :unknown_one: 10:30:15', 'Good 🙂 👍 :unknown_one: 10:30:15'],
    ['[b]bold[/b] [i]slanted[/i] [s]gone[/s] [u]line[/u]', '**bold** *slanted* ~~gone~~ line'],
    ['[url=https://a.example/x]here[/url] [img]https://a.example/x.png[/img]', '[here](https://a.example/x) ![](https://a.example/x.png)'],
    ['[spoiler]secret[/spoiler] [details="More"]text[/details]', 'secret **More**\ntext'],
    ['[date=2024-05-01 time=10:00:00 timezone="Europe/Berlin" format="L"]', '2024-05-01 10:00:00 (Europe/Berlin)'],
    ['[date-range from=2024-05-01T10:00:00 to=2024-05-02]', '2024-05-01 10:00:00 – 2024-05-02'],
    ['`[b]upload://abc.png :smile:[/b]`', '`[b]upload://abc.png :smile:[/b]`'],
    ['```\n[quote="x"]\n:smile:\n[/quote]\n```', '```\n[quote="x"]\n:smile:\n[/quote]\n```'],
  ])('%s', (raw, plain) => {
    expect(plainMarkdown(raw)).toBe(plain)
  })

  test('quotes become block quotes that say whom they are from', () => {
    expect(plainMarkdown('[quote="ana, post:2, topic:7, full:true"]\nOne\n\n- two\n[/quote]\n\nYes')).toBe(
      '> @ana [↑](/t/7/2):\n>\n> One\n>\n> - two\n\nYes',
    )
    expect(plainMarkdown('[quote="Ana Bauer, post:2, topic:7, username:ana"]One[/quote]Yes')).toBe('> @ana [↑](/t/7/2):\n>\n> One\n\nYes')
    expect(plainMarkdown('[quote="ana"]a[quote]b[/quote]c[/quote]d')).toBe('> @ana:\n>\n> a\n>\n> > b\n>\n> c\n\nd')
  })

  test('quotes that do not close, or only close', () => {
    expect(plainMarkdown('[quote="ana"]a')).toBe('> @ana:\n>\n> a')
    expect(plainMarkdown('a[/quote]b')).toBe('a\nb')
  })

  test('hostile texts take linear time and space', () => {
    const deep = `${'[quote]'.repeat(20_000)}x${'[/quote]'.repeat(20_000)}`
    expect(plainMarkdown(deep)).toBe('> > > > > x')
    for (const part of ['![', '[details=', '[url=', '![a|1x', '`', '[date=', ':a', '<a '])
      expect(plainMarkdown(part.repeat(30_000)).length).toBeGreaterThan(0)
  })

  test('markup is noticed outside of code', () => {
    expect(['a <b>b</b>', '<img src="x">', 'x<br>y', '<details open>'].map(hasHtml)).toEqual([true, true, true, true])
    expect(['1 < 2 > 0', '<https://a.example>', '`<b>`', '```\n<b>\n```', 'a <- b'].map(hasHtml)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('HTML', () => {
  test.each([
    [
      '<p><a class="mention" href="/u/ana">@ana</a> <img src="/images/emoji/smile.png" title=":smile:" class="emoji" alt=":smile:"> &lt;3</p>',
      '<p>@ana 😄 &#60;3</p>',
    ],
    [
      '<p><img src="//cdn.example/original/1X/a.jpeg" alt="oven" data-base62-sha1="aB3" width="690"></p>',
      '<p><img src="/uploads/short-url/aB3.jpeg" alt="oven"></p>',
    ],
    [
      '<div class="lightbox-wrapper"><a class="lightbox" href="/uploads/default/original/1X/a.png"><img src="/uploads/default/optimized/1X/a_690.png" alt="oven" width="690"><div class="meta"><span class="filename">oven</span></div></a></div>',
      '<img src="/uploads/default/original/1X/a.png" alt="oven">',
    ],
    [
      '<aside class="quote" data-username="ana" data-post="2" data-topic="7"><div class="title"><img class="avatar" src="x"> ana:</div><blockquote><p>One</p></blockquote></aside><p>Yes</p>',
      '<blockquote><p>@ana <a href="/t/7/2">↑</a>:</p><p>One</p></blockquote><p>Yes</p>',
    ],
    [
      '<aside class="onebox allowlistedgeneric" data-onebox-src="https://a.example/x"><header>a.example</header><article><aside>x</aside></article></aside>after',
      '<p><a href="https://a.example/x">https://a.example/x</a></p>after',
    ],
    [
      '<script>alert(1)</script><b onclick="x()">b</b><iframe src="https://v.example/1"></iframe>',
      '<b>b</b><p><a href="https://v.example/1">https://v.example/1</a></p>',
    ],
    [
      '<details><summary>More</summary>text</details><pre><code class="lang-js">a &amp;&amp; b</code></pre>',
      '<p><strong>More</strong></p>text<pre><code class="lang-js">a &#38;&#38; b</code></pre>',
    ],
  ])('%s', (cooked, plain) => {
    expect(plainHtml(cooked)).toBe(plain)
  })
})

test('names and paths of uploads', () => {
  expect(shortNameOf('0000000000000000000000000000000000000000')).toBe('0')
  expect(shortNameOf('000000000000000000000000000000000000003e')).toBe('10')
  expect(shortNameOf('DA39a3ee5e6b4b0d3255bfef95601890afd80709')).toBe('v8vA6WnPVTOE1o39waNFVmAqEJj')
  expect(shortNameOf('no hash')).toBeNull()
  expect(fileOfUrl('/uploads/default/original/1X/a.png')).toBe('default/original/1X/a.png')
  expect(fileOfUrl('//bucket.s3.example/original/2X/b/a.png')).toBe('default/original/2X/b/a.png')
  expect(fileOfUrl('https://elsewhere.example/a.png')).toBeNull()
})
