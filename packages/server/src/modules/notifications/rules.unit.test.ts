import { render } from '@lyceum/content'
import { describe, expect, test } from 'vitest'
import { mentionsIn } from './rules.ts'

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
    expect(mentionsIn(render(source, type, { mentions: known }))).toEqual(names)
  })

  test('are limited to fifty', () => {
    const source = Array.from({ length: 60 }, (_, i) => `@user${i}`).join(' ')
    expect(mentionsIn(render(source, 'text', { mentions: { has: () => true } }))).toHaveLength(50)
  })
})
