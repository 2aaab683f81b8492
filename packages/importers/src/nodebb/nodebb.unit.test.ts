import { join } from 'node:path'
import { expect, test } from 'vitest'
import { postgresDump } from '../../test-support/postgres-dump.ts'
import { folderWith, readAll } from '../../test-support/read-source.ts'
import { openNodebb } from './open.ts'

type Hashes = Record<string, object>
type Lists = Record<string, readonly (string | number)[]>
type Scores = Record<string, Record<string, number>>

const BCRYPT = `$2b$12$${'a'.repeat(53)}`
const T = Date.UTC(2024, 0, 1, 10)
const HOUR = 3_600_000

/** Privileges that everyone has. */
const open = (cid: number): Scores => ({
  [`group:cid:${cid}:privileges:groups:find:members`]: { guests: 0, 'registered-users': 0 },
  [`group:cid:${cid}:privileges:groups:topics:read:members`]: { guests: 0, 'registered-users': 0 },
  [`group:cid:${cid}:privileges:groups:topics:create:members`]: { 'registered-users': 0 },
  [`group:cid:${cid}:privileges:groups:topics:reply:members`]: { 'registered-users': 0 },
})

/** A forum with Ana (1), Ben (2), an open category (1) and what is added. */
const forum = async (hashes: Hashes = {}, zsets: Scores = {}, sets: Lists = {}, files: Record<string, string> = {}) => {
  const all: Hashes = {
    config: { title: 'Bakers' },
    'user:1': {
      uid: 1,
      username: 'Ana B',
      userslug: 'ana-b',
      joindate: T,
      email: 'ana@example.org',
      password: BCRYPT,
      'password:shaWrapped': 1,
    },
    'user:2': { uid: '2', username: 'ben', userslug: 'ben', joindate: String(T + HOUR), email: '', password: BCRYPT },
    'category:1': { cid: 1, name: 'Bread', slug: '1/bread', order: 1, parentCid: 0, disabled: 0 },
    'topic:1': { tid: 1, cid: 1, uid: 1, title: 'Rye', slug: '1/rye', mainPid: 1, timestamp: T, lastposttime: T },
    'post:1': { pid: 1, tid: 1, uid: 1, content: 'How?', timestamp: T },
    ...hashes,
  }
  const scores: Scores = { 'plugins:active': { 'nodebb-plugin-markdown': 1 }, ...open(1), ...zsets }
  const folder = await folderWith({
    ...files,
    'forum.sql': postgresDump({
      legacy_hash: Object.entries(all).map(([_key, data]) => ({ _key, data, type: 'hash' })),
      legacy_zset: Object.entries(scores).flatMap(([_key, values]) =>
        Object.entries(values).map(([value, score]) => ({ _key, value, score, type: 'zset' })),
      ),
      legacy_set: Object.entries({ none: [], ...sets }).flatMap(([_key, members]) =>
        members.map((member) => ({ _key, member, type: 'set' })),
      ),
    }),
  })
  return readAll(await openNodebb(join(folder, 'forum.sql'), { uploads: folder }))
}

test('people keep their names, hashes and roles', async () => {
  const { records } = await forum(
    {
      'user:3': {
        uid: 3,
        username: 'Cleo',
        userslug: 'cleo',
        joindate: 0,
        lastonline: T,
        password: 'secret',
        fullname: 'Cleo Diaz Ortiz',
        reputation: 7,
      },
      'user:3:settings': { showfullname: 1, dailyDigestFreq: 'off' },
      'user:4': { uid: 4, username: 'dora', userslug: 'dora', joindate: T, fullname: 'Dora E.', 'banned:expire': 0 },
      'user:5': { uid: 5, username: 'emil', userslug: 'emil', joindate: T, 'banned:expire': T },
    },
    {
      'group:administrators:members': { 1: T },
      'group:Global Moderators:members': { 2: T },
      'users:banned': { 4: T, 5: T },
    },
  )
  expect(records.people).toMatchObject([
    {
      id: '1',
      username: 'Ana B',
      aliases: ['ana-b'],
      email: 'ana@example.org',
      password: `sha512+${BCRYPT}`,
      role: 'admin',
      urls: ['/user/ana-b', '/uid/1'],
    },
    { id: '2', password: BCRYPT, email: null, role: 'moderator', managed_spaces: ['category:1'], created_at: '2024-01-01 11:00:00' },
    {
      id: '3',
      password: null,
      display_name: 'Cleo Diaz Ortiz',
      first_name: 'Cleo',
      last_name: 'Diaz Ortiz',
      points: 7,
      created_at: '2024-01-01 10:00:00',
      preferences: { digest_frequency: 'never' },
    },
    { id: '4', display_name: 'dora', status: 'banned' },
    { id: '5', status: 'active' },
  ])
  expect(records.people[3]).not.toHaveProperty('first_name')
})

test('full names are shown only if the forum and their owner show them; what has no place is counted', async () => {
  const person = { username: 'Cleo', joindate: T, fullname: 'Cleo Diaz', signature: 'Bye', birthday: '1990-01-01' }
  const shown = async (config: object, settings: object) => {
    const { records, leftOut } = await forum({ config, 'user:3': person, 'user:3:settings': settings })
    return [records.people[2]?.first_name ?? null, leftOut]
  }
  const left = { signatures: 1, birthdays: 1 }
  const hidden = [null, { ...left, 'full names that the forum hides': 1 }]
  expect(await shown({ hideFullname: 0 }, { showfullname: 1 })).toEqual(['Cleo', left])
  expect(await shown({ hideFullname: 0, showfullname: 1 }, {})).toEqual(['Cleo', left])
  expect(await shown({ hideFullname: 0, showfullname: 1 }, { showfullname: 0 })).toEqual(hidden)
  expect(await shown({ hideFullname: 1 }, { showfullname: 1 })).toEqual(hidden)
  expect(await shown({}, {})).toEqual(hidden)
})

test('authors without an account, guests and applicants', async () => {
  const { records } = await forum(
    {
      'post:2': { pid: 2, tid: 1, uid: 9, content: 'With time.', timestamp: T + HOUR },
      'post:3': { pid: 3, tid: 1, uid: 0, content: 'And salt.', timestamp: T + HOUR },
      'registration:queue:name:fay': { username: 'fay', email: 'fay@example.org', hashedPassword: BCRYPT, 'password:shaWrapped': 1 },
    },
    { 'registration:queue': { fay: T } },
  )
  expect(records.people.slice(0, 1)).toMatchObject([{ id: '0', status: 'deleted', username: 'guest' }])
  expect(records.people.slice(3)).toMatchObject([
    { id: '9', status: 'deleted', email: null, created_at: '2024-01-01 11:00:00' },
    { id: 'registration:fay', status: 'pending', password: `sha512+${BCRYPT}`, created_at: '2024-01-01 10:00:00' },
  ])
  expect(records.comments.map(({ author }) => author)).toEqual(['9', '0'])
})

test('spaces are as visible as their categories were', async () => {
  const category = (cid: number, name: string, more: object = {}) => ({
    [`category:${cid}`]: { cid, name, slug: `${cid}/x`, order: cid, ...more },
  })
  const read = (cid: number, ...groups: string[]): Scores => ({
    [`group:cid:${cid}:privileges:groups:topics:read:members`]: Object.fromEntries(groups.map((name) => [name, 0])),
  })
  const { records, unreadable } = await forum(
    {
      ...category(2, 'Crawled', { parentCid: 1 }),
      ...category(3, 'Board'),
      ...category(4, 'Confirmed'),
      ...category(5, 'Closed', { disabled: 1 }),
      ...category(6, 'Nobody'),
      ...category(7, 'Elsewhere', { link: 'https://shop.example' }),
      ...category(8, 'One person'),
      ...category(9, 'Below the board', { parentCid: 3 }),
      'group:Board': { name: 'Board', slug: 'board', hidden: 1, private: 1, system: 0, createtime: T },
      'group:Night Owls': { name: 'Night Owls', slug: 'night-owls', hidden: 0, private: 1, system: 0, createtime: T },
      'group:verified-users': { name: 'verified-users', system: 1, hidden: 1 },
    },
    {
      ...read(2, 'spiders', 'fediverse', 'administrators'),
      ...read(3, 'Board', 'administrators'),
      ...read(4, 'verified-users'),
      'group:cid:4:privileges:groups:find:members': { 'registered-users': 0 },
      ...open(5),
      ...open(9),
      'group:cid:8:privileges:topics:read:members': { 2: T },
      'group:Board:members': { 1: T, 2: T },
      'group:verified-users:members': { 1: T },
      'group:cid:1:privileges:moderate:members': { 2: T },
    },
    { 'group:Board:owners': [1], 'group:Night Owls:pending': [2, 77] },
  )
  expect(records.spaces.map(({ id, title, privacy, status, group }) => [id, title, privacy, status, group ?? null])).toEqual([
    ['category:1', 'Bread', 'public', 'published', 'category:1'],
    ['category:2', 'Crawled', 'secret', 'published', 'category:1'],
    ['category:3', 'Board', 'secret', 'published', null],
    ['category:4', 'Confirmed', 'private', 'published', null],
    ['category:5', 'Closed', 'public', 'draft', null],
    ['category:6', 'Nobody', 'secret', 'published', null],
    ['category:8', 'One person', 'secret', 'published', null],
    ['category:9', 'Below the board', 'public', 'published', null],
    ['group:Board', 'Board', 'secret', 'published', 'groups'],
    ['group:Night Owls', 'Night Owls', 'private', 'published', 'groups'],
  ])
  expect(records.space_groups.map(({ title }) => title)).toEqual(['Bread', 'Groups'])
  expect(records.memberships.map(({ space, person, role, status }) => `${space} ${person} ${role} ${status}`)).toEqual([
    'category:1 1 member active',
    'category:1 2 moderator active',
    'category:3 1 member active',
    'category:3 2 member active',
    'category:4 1 member active',
    'category:8 2 member active',
    'group:Board 1 admin active',
    'group:Board 2 member active',
    'group:Night Owls 2 member pending',
  ])
  expect(records.spaces[0]?.settings).toEqual({ restricted_post_only: 'no', allow_comments: true })
  expect(records.spaces[2]?.settings).toEqual({ restricted_post_only: 'yes', allow_comments: false })
  expect(unreadable).toEqual([
    { kind: 'spaces', id: 'category:7', reason: 'it is a link to https://shop.example', outcome: 'skipped' },
    { kind: 'memberships', id: 'group:Night Owls:77', reason: 'its account does not exist in the source', outcome: 'skipped' },
  ])
})

test('topics become posts, and replies become comments below what they answer', async () => {
  const reply = (pid: number, more: object = {}) => ({
    [`post:${pid}`]: { pid, tid: 1, uid: 2, content: `Reply ${pid}`, timestamp: T + pid * HOUR, ...more },
  })
  const { records, unreadable } = await forum(
    {
      'topic:1': {
        tid: 1,
        cid: 1,
        uid: 1,
        title: 'Rye & <wheat>',
        slug: '1/rye-wheat',
        mainPid: 1,
        timestamp: T,
        pinned: 1,
        locked: '1',
        lastposttime: T + HOUR,
      },
      'post:1': { pid: 1, tid: 1, uid: 1, content: 'How? ', timestamp: T, edited: T + 60_000 },
      ...reply(2, { toPid: 1 }),
      ...reply(3, { toPid: 2, deleted: 1 }),
      ...reply(4, { toPid: 3 }),
      ...reply(5, { toPid: '4' }),
      ...reply(6, { toPid: 6 }),
      ...reply(7, { content: ' ' }),
      ...reply(8, { tid: 99 }),
      'topic:2': { tid: 2, cid: 1, uid: 1, title: 'Gone', slug: '2/gone', mainPid: 20, timestamp: T, deleted: 1 },
      ...reply(20, { tid: 2 }),
      ...reply(21, { tid: 2 }),
      'topic:3': {
        tid: 3,
        cid: 1,
        uid: 1,
        title: 'Tomorrow',
        slug: '3/tomorrow',
        mainPid: 30,
        timestamp: T + 24 * HOUR,
        deleted: 1,
        pinned: 1,
      },
      ...reply(30, { tid: 3 }),
      'topic:4': { tid: 4, cid: -1, uid: 1, title: 'World', slug: '4/world', mainPid: 40, timestamp: T },
      'post:queue:topic-1': { id: 'topic-1', uid: 2, type: 'topic', data: JSON.stringify({ title: 'Held', content: 'Buy!', cid: 1 }) },
      'post:queue:reply-2': { id: 'reply-2', uid: 2, type: 'reply', data: { content: 'Held too', tid: 1, toPid: 2 } },
    },
    { 'topics:scheduled': { 3: T + 24 * HOUR }, 'tid:1:posts': { 2: 1, 3: 2, 4: 3 }, 'post:queue': { 'topic-1': T, 'reply-2': T } },
  )
  expect(records.posts).toMatchObject([
    {
      id: '1',
      title: 'Rye & <wheat>',
      message: 'How?',
      format: 'markdown',
      slug: 'rye-wheat',
      urls: ['/topic/1/rye-wheat', '/topic/1', '/post/1'],
      space: 'category:1',
      is_sticky: true,
      comments_disabled: true,
      edited_at: '2024-01-01 10:01:00',
      active_at: '2024-01-01 11:00:00',
    },
    { id: '3', status: 'scheduled', scheduled_at: '2024-01-02 10:00:00', auto_publish: true },
    { id: 'post:queue:topic-1', status: 'pending', title: 'Held' },
  ])
  expect(records.comments.map(({ id, parent, status }) => [id, parent ?? null, status])).toEqual([
    ['2', null, 'published'],
    ['4', '2', 'published'],
    ['5', '4', 'published'],
    ['6', null, 'published'],
    ['post:queue:reply-2', '2', 'pending'],
  ])
  expect(records.comments[1]?.urls).toEqual(['/post/4', '/topic/1/rye-wheat/4'])
  expect(unreadable.map(({ kind, id, reason }) => `${kind} ${id}: ${reason}`)).toEqual([
    'posts 2: it was deleted in the source',
    'posts 4: its category was not imported',
    'comments 3: it was deleted in the source',
    'comments 7: it is empty',
    'comments 8: its topic does not exist in the source',
    'comments 21: its topic was skipped: it was deleted in the source',
  ])
})

test('votes, bookmarks, follows and flags', async () => {
  const { records, unreadable, leftOut } = await forum(
    {
      'post:2': { pid: 2, tid: 1, uid: 2, content: 'So.', timestamp: T },
      'flag:1': { flagId: 1, type: 'post', targetId: 2, state: 'wip', datetime: T },
      'flag:2': { flagId: 2, type: 'user', targetId: 2, state: 'rejected', uid: 1, description: 'rude; again', datetime: T },
      'flag:3': { flagId: 3, type: 'post', targetId: 404, state: 'open', datetime: T },
      'message:1': { mid: 1, content: 'psst' },
      'message:2': { mid: 2, content: 'psst' },
    },
    {
      'uid:2:upvote': { 1: T + HOUR },
      'uid:1:bookmarks': { 1: T + 2 * HOUR, 2: T + HOUR },
      'following:1': { 2: T, 1: T, 88: T },
      'flag:1:reports': { '1;spam': T, '2;other; see above': T + 1000 },
    },
    {
      'pid:1:upvote': [2],
      'pid:2:upvote': [1, 99],
      'pid:2:downvote': [1],
      'pid:404:upvote': [1],
      'pid:1:users_bookmarked': [1],
      'pid:2:users_bookmarked': [1],
    },
  )
  expect(records.reactions).toEqual([
    { id: '1:2', person: '2', post: '1', type: 'like', created_at: '2024-01-01 11:00:00' },
    { id: '2:1', person: '1', comment: '2', type: 'like', created_at: '2024-01-01 10:00:00' },
  ])
  expect(records.bookmarks).toEqual([{ id: '2:1', person: '1', post: '1', created_at: '2024-01-01 11:00:00' }])
  expect(records.follows.map(({ id }) => id)).toEqual(['1:2'])
  expect(records.reports).toMatchObject([
    { id: '1:1', reporter: '1', comment: '2', reason: 'spam', status: 'reviewed' },
    { id: '1:2', reporter: '2', comment: '2', reason: 'other', description: 'other; see above' },
    { id: '2:1', reporter: '1', person: '2', reason: 'other', description: 'rude; again', status: 'dismissed' },
  ])
  expect(unreadable.map(({ kind, id, reason }) => `${kind} ${id}: ${reason}`)).toEqual([
    'reactions 2:99: its account does not exist in the source',
    'reactions 404:1: its post was not imported',
    'bookmarks 1:1: the account has another bookmark in the same topic',
    'follows 1:1: the account follows itself',
    'follows 1:88: its account does not exist in the source',
    'reports 3:: the reported content was not imported',
  ])
  expect(leftOut).toEqual({ 'chat messages': 2, 'down votes': 1 })
})

test('tags of hidden categories stay in their spaces', async () => {
  const { records } = await forum(
    {
      'topic:1': { tid: 1, cid: 1, uid: 1, title: 'Rye', slug: '1/rye', mainPid: 1, timestamp: T, tags: 'größe, oven,oven' },
      'category:2': { cid: 2, name: 'Board', slug: '2/board' },
      'topic:2': { tid: 2, cid: 2, uid: 1, title: 'Sale', slug: '2/sale', mainPid: 2, timestamp: T },
      'post:2': { pid: 2, tid: 2, uid: 1, content: 'Soon.', timestamp: T },
    },
    {},
    { 'topic:2:tags': ['merger', 'oven'] },
  )
  expect(records.topics.map(({ id, spaces }) => [id, spaces])).toEqual([
    ['größe', null],
    ['merger', ['category:2']],
    ['oven', null],
  ])
  expect(records.topics[0]?.urls).toEqual(['/tags/größe', '/tags/gr%C3%B6%C3%9Fe'])
  expect(records.posts.map(({ topics }) => topics)).toEqual([
    ['größe', 'oven'],
    ['merger', 'oven'],
  ])
})

test('files are found in texts and profiles, and the address of the site in links to its topics', async () => {
  const { records } = await forum(
    {
      'user:2': {
        uid: 2,
        username: 'ben',
        userslug: 'ben',
        joindate: T,
        picture: '/assets/uploads/profile/2.png',
        'cover:url': 'https://pictures.example/assets/uploads/x.png',
      },
      'post:1': {
        pid: 1,
        tid: 1,
        uid: 1,
        content:
          '![a](/talk/assets/uploads/files/1704103200000-my%20pic.png) https://forum.example/talk/topic/1/rye [f](https://forum.example/talk/assets/uploads/files/b.pdf) ![o](https://other.example/assets/uploads/files/c.png) https://evil.example/topic/1/other',
        timestamp: T,
      },
    },
    { 'topic:1:thumbs': { '/files/thumb.jpg': 0 } },
  )
  expect(records.media).toMatchObject([
    { id: 'profile/2.png', used_for: 'profile', owner: '2', urls: ['/talk/assets/uploads/profile/2.png', '/assets/uploads/profile/2.png'] },
    { id: 'files/thumb.jpg', used_for: 'feed' },
    { id: 'files/1704103200000-my pic.png', used_for: 'feed', owner: '1', file_name: '1704103200000-my pic.png' },
    { id: 'files/b.pdf' },
  ])
  expect(records.posts[0]).toMatchObject({
    featured_image: 'files/thumb.jpg',
    urls: ['/talk/topic/1/rye', '/talk/topic/1', '/talk/post/1'],
  })
  expect(records.people[1]).toMatchObject({ avatar: 'profile/2.png', cover_photo_url: 'https://pictures.example/assets/uploads/x.png' })
  expect(records.people[1]).not.toHaveProperty('cover_photo')
})

test('rows that are broken are left out with a reason', async () => {
  const folder = await folderWith({
    'forum.sql': postgresDump({
      legacy_hash: [
        { _key: 'user:1', data: '[]', type: 'hash' },
        { _key: 'user:2', data: `${'['.repeat(100_000)}${']'.repeat(100_000)}`, type: 'hash' },
        { _key: 'category:1', data: '{', type: 'hash' },
        { _key: 'topic:1', data: '{"cid": 1', type: 'hash' },
        { _key: 'post:1', data: 'null', type: 'hash' },
      ],
      legacy_zset: [{ _key: 'users:banned', value: '1', score: 'x', type: 'zset' }],
      legacy_set: [{ _key: 'pid:1:upvote', member: 'x', type: 'set' }],
    }),
  })
  const { records, unreadable } = await readAll(await openNodebb(folder, {}))
  expect(Object.values(records).flat()).toEqual([])
  expect(unreadable.filter(({ outcome }) => outcome === 'failed')).toHaveLength(3)
  expect(unreadable.map(({ kind, id, reason }) => `${kind} ${id}: ${reason}`)).toEqual([
    'people 1: its data cannot be read',
    'people 2: its data cannot be read',
    'posts 1: its data cannot be read',
    'comments 1: its topic does not exist in the source',
    'reactions 1:0: its post was not imported',
  ])
})

test('another database is refused', async () => {
  const folder = await folderWith({ 'shop.sql': postgresDump({ orders: [{ id: 1 }] }) })
  await expect(openNodebb(folder, {})).rejects.toThrow('This is not the database of a NodeBB forum: it has no table legacy_hash.')
})
