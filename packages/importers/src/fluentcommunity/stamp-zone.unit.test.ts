import { expect, test } from 'vitest'
import { read } from './small-site.ts'

/** Site times of the last activity: two in winter, two in summer. */
const TIMES = ['2024-01-10 12:00:00', '2024-02-10 12:00:00', '2024-07-10 12:00:00', '2024-08-10 12:00:00']

/** The time of a post whose column has noon in summer, in a dump that moved columns of the type TIMESTAMP by these hours. */
const postTime = async (hours: (time: string) => number) => {
  const moved = TIMES.map((time) =>
    new Date(Date.parse(`${time.replace(' ', 'T')}Z`) - hours(time) * 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
  )
  const { records } = await read('posts', {
    fcom_xprofile: TIMES.map((last_activity, at) => ({ user_id: at + 1, last_activity, updated_at: moved[at] as string })),
    fcom_posts: [{ created_at: '2024-07-01 12:00:00' }],
  })
  return records[0]?.created_at
}

test('a database server in UTC keeps the times of the site', async () => {
  expect(await postTime(() => 0)).toBe('2024-07-01 10:00:00')
})

test('a database server in the zone of the site leaves UTC in its dumps', async () => {
  expect(await postTime((time) => (time.includes('-07-') || time.includes('-08-') ? 2 : 1))).toBe('2024-07-01 12:00:00')
})

test('a database server in another zone moves the times by its offset', async () => {
  expect(await postTime(() => -5)).toBe('2024-07-01 05:00:00')
})
