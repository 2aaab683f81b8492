import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mentionedUsernames, renderedMentions } from './mention-extract.ts'
import { type ContentType, render } from './render.ts'

const link = (name: string): string => `<a class="mention" href="/u/${name}" rel="nofollow noopener ugc">@${name}</a>`
const known = new Set(['bob', 'ann-lee', '_x_', 'a_b', '---'])

describe('mentions in rendered text', () => {
  test.each<[string, string]>([
    ['@bob', link('bob')],
    ['hi @Bob, @BOB!', `hi ${link('bob')}, ${link('bob')}!`],
    ['(@bob) "@bob" @bob.', `(${link('bob')}) "${link('bob')}" ${link('bob')}.`],
    ['@nobody', '@nobody'],
    ['@bo', '@bo'],
    ['@ann-lee-', `${link('ann-lee')}-`],
    ['@_x_ and @a_b', `${link('_x_')} and ${link('a_b')}`],
    ['_@bob_ **@bob** ~~@bob~~', `<em>${link('bob')}</em> <strong>${link('bob')}</strong> <s>${link('bob')}</s>`],
    ['你好@bob你好', `你好${link('bob')}你好`],
    ['@bobé', '@bobé'],
    ['\\@bob', '@bob'],
    ['x@bob @bob@host.example', 'x@bob @bob@host.example'],
    ['`@bob`', '<code>@bob</code>'],
    ['[@bob](https://e.example)', '<a href="https://e.example" rel="nofollow noopener ugc">@bob</a>'],
    ['https://e.example/@bob', '<a href="https://e.example/@bob" rel="nofollow noopener ugc">https://e.example/@bob</a>'],
    ['bob@bob.example', '<a href="mailto:bob@bob.example" rel="nofollow noopener ugc">bob@bob.example</a>'],
    [`@${'b'.repeat(31)}`, `@${'b'.repeat(31)}`],
    ['@<b>bob', '@&lt;b&gt;bob'],
  ])('%j', (source, html) => expect(render(source, 'markdown', { mentions: known })).toBe(`<p>${html}</p>`))

  test.each<[string, string]>([
    ['<p>@bob <b>@Bob</b></p>', `<p>${link('bob')} <b>${link('bob')}</b></p>`],
    ['&#64;bob', link('bob')],
    ['<code>@bob</code><pre>@bob</pre>', '<code>@bob</code><pre>@bob</pre>'],
    // A link that the author wrote to a profile is not a mention.
    ['<a class="mention" href="/u/bob">@nobody</a>', '<a href="/u/bob" rel="nofollow noopener ugc">@nobody</a>'],
    ['<a class="mention" href="/u/root">root</a>', '<a href="/u/root" rel="nofollow noopener ugc">root</a>'],
    ['&amp;@bob &lt;@bob', `&amp;${link('bob')} &lt;${link('bob')}`],
  ])('html %j', (source, html) => expect(render(source, 'html', { mentions: known })).toBe(html))

  test('usernames are looked up in lower case, also by a function', () => {
    const asked: string[] = []
    render('@Bob @ANN_', 'text', { mentions: { has: (name) => asked.push(name) < 0 } })
    expect(asked).toEqual(['bob', 'ann_', 'ann'])
  })

  test('with an origin they are absolute', () => {
    for (const type of ['text', 'html'] as const)
      expect(render('@bob', type, { mentions: known, origin: 'https://c.example' })).toContain('href="https://c.example/u/bob"')
  })

  test('nobody is mentioned unless the caller provides existing usernames', () => expect(render('@bob', 'text')).toBe('<p>@bob</p>'))
})

describe('mentionedUsernames', () => {
  test.each<[string, ContentType, string[]]>([
    ['@Bob @bob @ann', 'text', ['bob', 'ann']],
    ['@ann_ and @x--', 'markdown', ['ann_', 'ann', 'x--']],
    ['`@a11` [@b22](https://e.example) <https://e.example/@c33>\n\n    @d44\n\n```\n@e55\n```\n@f66', 'markdown', ['f66']],
    ['![@bob](https://e.example/i.png) https://e.example/@ann', 'markdown', []],
    ['|@ann|@bob|\n|-|-|\n|@cat|x|\n\n> - @dog', 'markdown', ['ann', 'bob', 'cat', 'dog']],
    [
      '<p>@ann <code>@bob</code> <a href="https://e.example">@cat</a></p><pre>@dog</pre><!-- @eel --><script>@fox</script>',
      'html',
      ['ann'],
    ],
    ['<b title="@bob">x</b>', 'html', []],
    ['none', 'text', []],
  ])('%j as %s', (source, type, names) => expect(mentionedUsernames(source, type)).toEqual(names))

  test('returns at most 50', () => {
    const source = Array.from({ length: 200 }, (_, i) => `@user${i}`).join(' ')
    for (const type of ['text', 'html'] as const) expect(mentionedUsernames(source, type)).toHaveLength(50)
  })

  const username = fc.string({ unit: fc.constantFrom(...'abcxyz019_-'), minLength: 3, maxLength: 30, size: 'max' })

  test('every valid username is found, linked and shown', () => {
    fc.assert(
      fc.property(username, fc.constantFrom<ContentType>('text', 'markdown', 'html'), (name, type) => {
        expect(mentionedUsernames(`see @${name} there`, type)[0]).toBe(name)
        expect(render(`see @${name} there`, type, { mentions: new Set([name]) })).toContain(`see ${link(name)} there`)
      }),
      { numRuns: 500 },
    )
  })

  test('every linked username was extracted before, so one lookup finds them all', () => {
    const piece = fc.oneof(
      username.map((name) => `@${name}`),
      fc.constantFrom(' ', '*', '_', '`', '[', '](https://e.example)', '<b>', '</b>', '\n', '<code>', '&#64;', 'x'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20, size: 'max' }), fc.constantFrom<ContentType>('text', 'html'), (pieces, type) => {
        const source = pieces.join('')
        const linked = render(source, type, { mentions: { has: () => true } }).matchAll(/class="mention" href="\/u\/([^"]+)"/g)
        expect(mentionedUsernames(source, type)).toEqual(expect.arrayContaining([...linked].map((match) => match[1])))
      }),
      { numRuns: 500 },
    )
  })
})

describe('mentions in stored HTML', () => {
  const known = new Set(['bob', 'ann-lee'])
  test.each([
    ['@bob and @ann-lee, @Bob', 'text', ['bob', 'ann-lee']],
    ['@nobody `@bob` [@bob](https://e.example)', 'markdown', []],
    ['<p>@bob</p><a class="mention" href="/u/ann-lee">@x</a>', 'html', ['bob']],
    ['class="mention" href="/u/bob" <a class="mention" href="/u/bob">', 'text', []],
    ['&lt;a class="mention" href="/u/bob"', 'html', []],
    [
      '<p title=\'<a class="mention" href="/u/bob">\'>x</p><img alt=\'<a class="mention" href="/u/bob">\' src="https://e.example/x.png">',
      'html',
      [],
    ],
  ] as const)('%j', (source, type, names) => {
    expect(renderedMentions(render(source, type, { mentions: known }))).toEqual(names)
  })

  test('are limited to fifty', () => {
    const source = Array.from({ length: 60 }, (_, i) => `@user${i}`).join(' ')
    expect(renderedMentions(render(source, 'text', { mentions: { has: () => true } }))).toHaveLength(50)
  })
})
