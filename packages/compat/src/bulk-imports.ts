import { addStudents } from './learning.ts'
import type { Context, Fields, Handler, Handlers } from './operations.ts'
import { fieldsOf, listOf, textOf } from './values.ts'

const MOST_ROWS = 50

/** Ids of the members with the email addresses in `rows`. Only administrators can look up addresses. No invitations are sent. */
const peopleOf = async ({ call, body }: Context) => {
  const rows = listOf(body['rows']).map(fieldsOf)
  const ids: number[] = []
  for (const row of rows.slice(0, MOST_ROWS)) {
    const address = textOf(row['email']).trim().toLowerCase()
    if (address === '') continue
    const { data } = await call('spaceMembers.searchUsers', { query: { q: address } })
    const found = data.find(({ email }) => email.toLowerCase() === address)
    if (found) ids.push(found.id)
  }
  const processed = Math.min(rows.length, MOST_ROWS)
  return { ids, unknown: processed - ids.length, processed, total: rows.length }
}

const counted = (answer: Fields, { unknown, processed, total }: Awaited<ReturnType<typeof peopleOf>>) => ({
  ...answer,
  failed: Number(answer['failed']) + unknown,
  processed,
  total,
  has_more: processed < total,
  next_offset: processed,
})

const importMembers: Handler = async (ctx) => {
  const people = await peopleOf(ctx)
  const { params, body, call } = ctx
  const none = { message: '', added: 0, skipped: 0, failed: 0 }
  if (people.ids.length === 0) return counted(none, people)
  const role = textOf(body['role']) || 'member'
  return counted(await call('spaceMembers.bulkAdd', { params, body: { user_ids: people.ids, role } }), people)
}

const importStudents: Handler = async (ctx) => {
  const people = await peopleOf(ctx)
  return counted((await addStudents({ ...ctx, body: { user_ids: people.ids } })) as Fields, people)
}

export const bulkImportHandlers: Handlers = {
  'POST /spaces/{space_slug}/members/bulk-import': importMembers,
  'POST /admin/courses/{course_id}/students/bulk-import': importStudents,
}
