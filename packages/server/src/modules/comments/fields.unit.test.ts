import { api, REVISED_FIELDS } from '@lyceum/contract'
import { expect, test } from 'vitest'
import { applyContent, BLANK, changesContent } from './content-validation.ts'

/** Fields of a request that are not content, with the reason. */
const NOT_CONTENT: Readonly<Record<string, string>> = {
  parent_id: 'where the comment is',
  status: 'a decision of moderators',
  is_sticky: 'a decision of moderators',
  reason: 'shown to the author of the comment',
}

const fieldsOf = (route: { body?: unknown }) => Object.keys((route.body as { properties: object }).properties)

test('a moderator’s edit of any content of a comment is recorded as a revision', () => {
  const content = applyContent(BLANK, { comment: 'Hello' })
  expect(Object.keys(content).filter((field) => !(REVISED_FIELDS as readonly string[]).includes(field))).toEqual([])
})

test('every field that members write in a comment is content, or has a reason why not', () => {
  const fields = [...new Set([...fieldsOf(api.comments.create), ...fieldsOf(api.comments.update)])]
  expect(fields).toContain('comment')
  for (const field of fields) expect(changesContent({ [field]: 'x' }), field).toBe(!(field in NOT_CONTENT))
})
