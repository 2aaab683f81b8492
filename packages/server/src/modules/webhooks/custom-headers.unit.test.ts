import { expect, it } from 'vitest'
import { headersProblem, unmaskHeaders } from './custom-headers.ts'

it.each(['Host', 'content-type', 'CONTENT-LENGTH', 'Transfer-Encoding', 'webhook-id', 'X-Lyceum-Signature', 'a b', 'ä', ''])(
  'the header %s is not for administrators',
  (name) => expect(headersProblem({ [name]: 'x' })).not.toBeNull(),
)

it('masked headers are matched case-insensitively', () => {
  expect(unmaskHeaders({ 'X-KEY': '••••••••', 'X-B': 'new' }, { 'x-key': 'kept', 'X-Gone': 'x' })).toEqual({
    'X-KEY': 'kept',
    'X-B': 'new',
  })
})
