import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export interface DumpSize {
  readonly posts: number
  readonly commentsPerPost: number
  readonly people: number
  readonly spaces: number
  readonly memberships: number
}

const WORDS =
  'garden water early table market letter window summer paper bridge quiet river number second forest yellow morning answer'.split(' ')
const ROWS_PER_INSERT = 500
const FIRST_DAY = Date.UTC(2023, 0, 1)

/** The same numbers on every run. */
const randomNumbers = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
}

const stamp = (ms: number) => `'${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}'`

function* inserts(table: string, columns: string, count: number, row: (id: number) => string) {
  for (let from = 1; from <= count; from += ROWS_PER_INSERT) {
    const ids = Array.from({ length: Math.min(ROWS_PER_INSERT, count - from + 1) }, (_, i) => from + i)
    yield `INSERT INTO \`wp_${table}\` (${columns}) VALUES\n${ids.map((id) => `(${id},${row(id)})`).join(',\n')};\n`
  }
}

/** Rows of a FluentCommunity site that only the importer reads; a tenth of the posts link to an earlier one. */
function* dump({ posts, commentsPerPost, people, spaces, memberships }: DumpSize) {
  const random = randomNumbers(1)
  const text = () => Array.from({ length: 12 + random(20) }, () => WORDS[random(WORDS.length)]).join(' ')
  const comments = posts * commentsPerPost
  const timeOf = (at: number) => stamp(FIRST_DAY + Math.floor((at * 3 * 365 * 86_400_000) / comments))
  const joined = stamp(FIRST_DAY - 86_400_000)

  yield `INSERT INTO \`wp_options\` (option_id,option_name,option_value) VALUES
(1,'home','https://large.example'),(2,'siteurl','https://large.example'),(3,'timezone_string','UTC'),
(4,'fluent_community_settings','a:1:{s:4:"slug";s:6:"portal";}');\n`
  yield* inserts('users', 'ID,user_login,user_pass,user_nicename,user_email,user_registered,display_name', people, (id) =>
    [`'person${id}'`, `''`, `'person${id}'`, `'person${id}@large.example'`, joined, `'Person ${id}'`].join(),
  )
  yield* inserts('fcom_xprofile', 'id,user_id,username,display_name,status,created_at,updated_at', people, (id) =>
    [id, `'person${id}'`, `'Person ${id}'`, `'active'`, joined, joined].join(),
  )
  yield* inserts('fcom_spaces', 'id,created_by,title,slug,type,privacy,status,serial,created_at,updated_at', spaces, (id) =>
    [
      1,
      `'Space ${id}'`,
      `'space-${id}'`,
      `'community'`,
      id % 10 === 0 ? `'private'` : `'public'`,
      `'published'`,
      id,
      joined,
      joined,
    ].join(),
  )
  yield* inserts('fcom_space_user', 'id,space_id,user_id,status,role,created_at', memberships, (id) => {
    const [person, round] = [(id - 1) % people, Math.floor((id - 1) / people)]
    return `${1 + ((person + round * 7) % spaces)},'${1 + person}','active','member',${joined}`
  })
  const postColumns =
    'id,user_id,title,slug,message,message_rendered,type,content_type,space_id,privacy,status,meta,is_sticky,comments_count,reactions_count,created_at,updated_at'
  yield* inserts('fcom_posts', postColumns, posts, (id) => {
    const linked = id > 1 && id % 10 === 0 ? ` https://large.example/portal/post/post-${1 + random(id - 1)}` : ''
    const message = text() + linked
    const time = timeOf(id * commentsPerPost)
    const author = 1 + random(people)
    return `${author},NULL,'post-${id}','${message}','<p>${message}</p>','text','text',${1 + random(spaces)},'public','published','a:0:{}',0,${commentsPerPost},0,${time},${time}`
  })
  const commentColumns = 'id,user_id,post_id,parent_id,message,message_rendered,type,content_type,status,created_at,updated_at'
  yield* inserts('fcom_post_comments', commentColumns, comments, (id) => {
    const [message, time] = [text(), timeOf(id)]
    return `${1 + random(people)},${Math.ceil(id / commentsPerPost)},NULL,'${message}','<p>${message}</p>','comment','text','published',${time},${time}`
  })
}

/** Writes the dump of a large community, the same one for the same size. */
export const writeDump = (file: string, size: DumpSize): Promise<void> => pipeline(Readable.from(dump(size)), createWriteStream(file))
