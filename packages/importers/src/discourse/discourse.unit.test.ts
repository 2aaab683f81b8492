import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packTar } from '../../test-support/pack-tar.ts'
import { postgresDump } from '../../test-support/postgres-dump.ts'
import { folderWith } from '../../test-support/read-source.ts'
import { at, category, dump, HASH, post, type Row, read, SALT, topic, user } from '../../test-support/small-discourse.ts'
import { openDiscourse } from './open.ts'

test('people with their hashes, roles and states', async () => {
  const { records, unreadable, leftOut } = await read({
    users: [
      user(3, 'cleo', { moderator: true, name: 'Cleo Diaz', suspended_till: '2020-01-01 00:00:00' }),
      user(4, 'dora', { suspended_till: '3024-05-01 00:00:00' }),
      user(5, 'emil', { suspended_till: new Date(Date.now() + 30 * 86_400_000).toISOString(), approved: false }),
      user(6, 'fay', { active: false }),
      user(7, 'gil', { active: false }),
      user(8, 'hal', { approved: false, silenced_till: '2099-01-01 00:00:00' }),
      user(9, 'anon9'),
      user(10, 'ida', { active: false, staged: true }),
      user(11, 'jo', { active: false, staged: true, approved: false }),
      user(-1, 'system', { admin: true }),
      user(-2, 'discobot'),
    ],
    user_passwords: [
      { user_id: 1, password_hash: HASH.toUpperCase(), password_salt: SALT, password_algorithm: '$pbkdf2-sha256$i=600000,l=32$' },
      { user_id: 2, password_hash: HASH, password_salt: SALT, password_algorithm: '$argon2id$v=19,m=1$' },
      { user_id: 3, password_hash: HASH, password_salt: SALT, password_algorithm: null },
    ],
    user_emails: [
      { id: 1, user_id: 1, email: 'old@example.org', primary: false },
      { id: 2, user_id: 1, email: 'ana@example.org', primary: true },
      { id: 3, user_id: 9, email: 'x@anonymized.invalid', primary: true },
    ],
    user_profiles: [{ user_id: 1, bio_raw: 'I **bake** :smile:', location: 'Graz ', website: 'https://ana.example' }],
    user_options: [
      { user_id: 1, email_digests: true, digest_after_minutes: 1440, hide_profile: true },
      { user_id: 2, email_digests: false, digest_after_minutes: 10080, hide_profile: false },
    ],
    site_settings: [{ id: 1, name: 'must_approve_users', value: 't' }],
    posts: [
      post(2, 1, 2, { user_id: 7 }),
      post(3, 1, 3, { user_id: -1 }),
      post(4, 1, 4, { user_id: 77, created_at: at(9) }),
      post(5, 1, 5, { user_id: null }),
      post(6, 1, 6, { user_id: 10 }),
    ],
  })
  expect(records.people.map(({ id, username, status, role }) => [id, username, status, role ?? 'member'])).toEqual([
    ['-1', 'system', 'active', 'member'],
    ['0', 'former-member-0', 'deleted', 'member'],
    ['1', 'ana', 'active', 'admin'],
    ['2', 'Ben', 'active', 'member'],
    ['3', 'cleo', 'active', 'moderator'],
    ['4', 'dora', 'banned', 'member'],
    ['5', 'emil', 'suspended', 'member'],
    ['6', 'fay', 'unverified', 'member'],
    ['7', 'gil', 'suspended', 'member'],
    ['8', 'hal', 'pending', 'member'],
    ['9', 'former-member-9', 'deleted', 'member'],
    ['10', 'ida', 'active', 'member'],
    ['77', 'former-member-77', 'deleted', 'member'],
  ])
  expect(records.people[2]).toEqual({
    id: '1',
    urls: ['/u/ana'],
    username: 'ana',
    email: 'ana@example.org',
    password: `pbkdf2-sha256$600000$${SALT}$${HASH}`,
    display_name: 'ana',
    short_description: 'I **bake** 😄',
    location: 'Graz',
    website: 'https://ana.example',
    is_private: true,
    status: 'active',
    role: 'admin',
    preferences: { digest_frequency: 'daily' },
    created_at: '2024-05-01 10:00:00',
  })
  expect(records.people[3]).toMatchObject({
    urls: ['/u/Ben', '/u/ben'],
    email: null,
    password: null,
    preferences: { digest_frequency: 'never' },
  })
  expect(records.people[4]).toMatchObject({
    password: `pbkdf2-sha256$64000$${SALT}$${HASH}`,
    first_name: 'Cleo',
    managed_spaces: ['category:4'],
  })
  expect(records.memberships.map(({ person }) => person)).toEqual(['1', '7', '10'])
  expect(records.people.at(-1)).toMatchObject({ email: null, created_at: '2024-05-09 10:00:00' })
  expect(unreadable).toEqual([
    'people 8: they were silenced until 2099-01-01 00:00:00, but can post in Lyceum',
    'people 10: they wrote by email and never registered',
  ])
  expect(leftOut).toEqual({ 'email-only users without imported posts': 1 })
})

test('spaces are as visible as their categories were', async () => {
  const { records } = await read({
    categories: [
      category(5, 'Rolls', { parent_category_id: 4, description: '<p>For <b>rolls</b></p>' }),
      category(6, 'Staff', { read_restricted: true }),
      category(7, 'Inner', { parent_category_id: 6 }),
      category(8, 'Known', { read_restricted: true }),
      category(9, 'Regulars', { read_restricted: true }),
      category(10, 'News'),
      category(11, 'Lost', { read_restricted: true }),
    ],
    category_groups: [
      { id: 1, category_id: 6, group_id: 3, permission_type: 1 },
      { id: 2, category_id: 8, group_id: 10, permission_type: 1 },
      { id: 3, category_id: 9, group_id: 41, permission_type: 1 },
      { id: 4, category_id: 9, group_id: 1, permission_type: 1 },
      { id: 5, category_id: 10, group_id: 0, permission_type: 3 },
      { id: 6, category_id: 10, group_id: 3, permission_type: 1 },
    ],
    category_moderation_groups: [{ id: 1, category_id: 4, group_id: 41 }],
    category_users: [
      { id: 1, category_id: 4, user_id: 3, notification_level: 3 },
      { id: 2, category_id: 4, user_id: 1, notification_level: 0 },
    ],
    users: [user(3, 'cleo', { moderator: true })],
    groups: [
      { id: 3, name: 'staff', automatic: true, visibility_level: 0, created_at: at(1) },
      {
        id: 41,
        name: 'regulars',
        full_name: 'The Regulars',
        automatic: false,
        visibility_level: 2,
        members_visibility_level: 2,
        created_at: at(1),
      },
      {
        id: 42,
        name: 'club',
        automatic: false,
        visibility_level: 0,
        members_visibility_level: 0,
        public_admission: false,
        allow_membership_requests: true,
      },
    ],
    group_users: [
      { id: 1, group_id: 3, user_id: 3, owner: false, created_at: at(4) },
      { id: 2, group_id: 3, user_id: 1, owner: false, created_at: at(4) },
      { id: 3, group_id: 41, user_id: 2, owner: true, created_at: at(5) },
      { id: 4, group_id: 1, user_id: 1, owner: false, created_at: at(4) },
    ],
    group_requests: [{ id: 1, group_id: 42, user_id: 2, created_at: at(6) }],
  })
  expect(records.spaces.map(({ id, privacy, group }) => [id, privacy, group ?? null])).toEqual([
    ['category:4', 'public', 'category:4'],
    ['category:5', 'public', 'category:4'],
    ['category:6', 'secret', null],
    ['category:7', 'secret', null],
    ['category:8', 'public', null],
    ['category:9', 'secret', null],
    ['category:10', 'public', null],
    ['category:11', 'secret', null],
    ['group:42', 'private', 'groups'],
    ['group:41', 'secret', 'groups'],
  ])
  expect(records.space_groups.map(({ title }) => title)).toEqual(['Bread', 'Groups'])
  expect(records.memberships.map(({ space, person, role, status }) => `${space} ${person} ${role} ${status}`)).toEqual([
    'category:4 2 moderator active',
    'category:4 3 member active',
    'category:6 1 member active',
    'category:6 3 member active',
    'category:7 1 member active',
    'category:7 3 member active',
    'category:9 2 member active',
    'group:42 2 member pending',
    'group:41 2 admin active',
  ])
  expect(records.spaces[1]).toMatchObject({ description: 'For rolls', urls: ['/c/bread/rolls/5', '/c/rolls/5', '/c/bread/rolls', '/c/5'] })
  expect(records.spaces[6]?.settings).toEqual({ restricted_post_only: 'yes', allow_comments: false })
  expect(records.people.find(({ id }) => id === '3')?.managed_spaces).toEqual([4, 5, 6, 7, 8, 10].map((id) => `category:${id}`))
})

test('topics become posts, and replies become comments below what they answer', async () => {
  const { records, unreadable, leftOut } = await read({
    topics: [
      topic(2, 'About Bread'),
      topic(3, 'Gone', { deleted_at: at(5) }),
      topic(4, 'A secret', { archetype: 'private_message', category_id: null }),
      topic(9, 'Perhaps a secret', { archetype: null, category_id: null }),
      topic(5, 'Unlisted', { visible: false, category_id: null }),
      topic(6, 'Pinned', { pinned_at: at(3), pinned_globally: true, closed: true }),
      topic(7, 'Formerly pinned', { pinned_at: at(3), pinned_until: at(4) }),
      topic(8, 'Empty'),
    ],
    categories: [category(5, 'Other', { topic_id: 2 })],
    posts: [
      post(2, 2, 1),
      post(3, 3, 1),
      post(4, 4, 1, { raw: 'psst' }),
      post(9, 9, 1, { raw: 'psst' }),
      post(5, 5, 1),
      post(6, 6, 1, { raw: 'See ![a|10x10](upload://x.png)', version: 3, last_version_at: at(8), last_editor_id: 2 }),
      post(7, 7, 1),
      post(11, 1, 2, { reply_to_post_number: 1 }),
      post(12, 1, 3, { reply_to_post_number: 2, deleted_at: at(4) }),
      post(13, 1, 4, { reply_to_post_number: 3 }),
      post(14, 1, 5, { reply_to_post_number: 9 }),
      post(15, 1, 6, { post_type: 3, raw: '' }),
      post(16, 1, 7, { post_type: 4 }),
      post(17, 1, 8, { user_deleted: true }),
      post(18, 1, 9, { hidden: true }),
      post(19, 1, 10, { raw: 'A <b>bold</b> word', cooked: '<p>A <b>bold</b> word <img class="emoji" title=":heart:"></p>' }),
      post(20, 3, 2),
    ],
    topic_links: [
      { id: 1, link_topic_id: 1, domain: 'forum.example', internal: true, url: 'https://forum.example/community/t/rye/1' },
      { id: 2, link_topic_id: 1, domain: 'elsewhere.example', internal: false, url: 'https://elsewhere.example/t/rye/1' },
    ],
    permalinks: [{ id: 1, url: 'showthread.php?t=1', topic_id: 1 }],
    discourse_solved_solved_topics: [{ id: 1, topic_id: 1, answer_post_id: 13, accepter_user_id: 2, created_at: at(6) }],
    chat_messages: [{ id: 1 }, { id: 2 }],
    reviewables: [
      { id: 1, type: 'ReviewableQueuedPost', status: 0 },
      { id: 2, type: 'ReviewableQueuedPost', status: 1 },
      { id: 3, type: 'ReviewableFlaggedPost', status: 0 },
    ],
  })
  expect(records.posts.map(({ id, title, status }) => [id, title, status])).toEqual([
    ['1', 'Rye', 'published'],
    ['5', 'Unlisted', 'draft'],
    ['6', 'Pinned', 'published'],
    ['7', 'Formerly pinned', 'published'],
  ])
  expect(records.posts[0]?.urls).toEqual([
    '/community/t/rye/1',
    '/community/t/rye/1/1',
    '/community/t/1',
    '/community/t/1/1',
    '/community/p/1',
    '/community/showthread.php?t=1',
  ])
  expect(records.posts[1]).not.toHaveProperty('space')
  expect(records.posts[2]).toMatchObject({
    message: 'See ![a](/uploads/short-url/x.png)',
    is_sticky: true,
    priority: 1,
    comments_disabled: true,
    edited_at: '2024-05-08 10:00:00',
    edited_by_moderator: true,
    active_at: '2024-05-03 10:00:00',
  })
  expect(records.posts[3]).not.toHaveProperty('is_sticky')
  expect(records.comments.map(({ id, parent, status }) => [id, parent ?? null, status])).toEqual([
    ['11', null, 'published'],
    ['13', '11', 'published'],
    ['14', null, 'published'],
    ['18', null, 'pending'],
    ['19', null, 'published'],
  ])
  expect(records.comments[1]).toMatchObject({
    helpful_at: '2024-05-06 10:00:00',
    helpful_by: '2',
    urls: ['/community/t/rye/1/4', '/community/t/1/4', '/community/p/13'],
  })
  expect(records.comments[4]).toMatchObject({ message: '<p>A <b>bold</b> word ❤️</p>', format: 'html' })
  expect(unreadable).toEqual([
    'posts 2: it is the description of its category',
    'posts 3: it was deleted in the source',
    'posts 8: its first post does not exist in the source',
    'comments 12: it was deleted in the source',
    'comments 15: it is a log entry of its topic',
    'comments 16: it is a staff whisper',
    'comments 17: it was deleted in the source',
    'comments 20: its topic was skipped: it was deleted in the source',
  ])
  expect(leftOut).toEqual({ 'private messages': 2, 'posts that await approval': 1, 'chat messages': 2 })
  expect(JSON.stringify(records)).not.toContain('psst')
})

test('tags, and those that not everyone may know', async () => {
  const { records, unreadable } = await read({
    categories: [category(5, 'Staff', { read_restricted: true })],
    topics: [topic(2, 'Sale', { category_id: 5 })],
    posts: [post(2, 2, 1)],
    tags: [
      { id: 1, name: 'oven', target_tag_id: null },
      { id: 2, name: 'stove', target_tag_id: 1 },
      { id: 3, name: 'merger', target_tag_id: null },
      { id: 4, name: 'watched', target_tag_id: null },
      { id: 5, name: 'unused', target_tag_id: null },
    ],
    topic_tags: [
      { id: 1, topic_id: 1, tag_id: 4 },
      { id: 2, topic_id: 1, tag_id: 2 },
      { id: 3, topic_id: 1, tag_id: 1 },
      { id: 4, topic_id: 2, tag_id: 3 },
      { id: 5, topic_id: 2, tag_id: 1 },
    ],
    tag_group_memberships: [{ id: 1, tag_id: 4, tag_group_id: 1 }],
    tag_group_permissions: [{ id: 1, tag_group_id: 1, group_id: 3 }],
  })
  expect(records.topics.map(({ title, spaces }) => [title, spaces])).toEqual([
    ['merger', ['category:5']],
    ['oven', null],
  ])
  expect(records.posts.map(({ topics }) => topics)).toEqual([['1'], ['3', '1']])
  expect(unreadable).toEqual(['topics 4: this tag is restricted to some groups'])
})

test('likes, reactions, bookmarks, follows and flags', async () => {
  const action = (id: number, post_id: number, user_id: number, type: number, more: Row = {}): Row => ({
    id,
    post_id,
    user_id,
    post_action_type_id: type,
    created_at: at(4),
    deleted_at: null,
    agreed_at: null,
    agreed_by_id: null,
    disagreed_at: null,
    ...more,
  })
  const { records, unreadable } = await read({
    topics: [topic(9, 'Private', { archetype: 'private_message' })],
    posts: [post(2, 1, 2), post(9, 9, 1)],
    post_actions: [
      action(1, 1, 2, 2),
      action(2, 2, 2, 2),
      action(3, 2, 1, 2, { deleted_at: at(5) }),
      action(4, 9, 2, 2),
      action(5, 404, 2, 2),
      action(6, 2, 2, 8, { agreed_at: at(6), agreed_by_id: 1 }),
      action(7, 1, 2, 4, { disagreed_at: at(6) }),
      action(8, 1, 2, 6),
    ],
    discourse_reactions_reactions: [{ id: 1, post_id: 2, reaction_value: 'laughing' }],
    discourse_reactions_reaction_users: [{ id: 1, reaction_id: 1, user_id: 2, post_id: 2, created_at: at(5) }],
    bookmarks: [
      { id: 1, user_id: 2, bookmarkable_type: 'Post', bookmarkable_id: 2, created_at: at(4) },
      { id: 2, user_id: 2, bookmarkable_type: 'Topic', bookmarkable_id: 1, created_at: at(5) },
      { id: 3, user_id: 2, bookmarkable_type: 'Post', bookmarkable_id: 9, created_at: at(5) },
      { id: 4, user_id: 2, bookmarkable_type: 'Post', bookmarkable_id: 404, created_at: at(5) },
    ],
    user_followers: [
      { user_id: 1, follower_id: 2, created_at: at(4) },
      { user_id: 98, follower_id: 2, created_at: at(4) },
    ],
  })
  expect(records.reactions).toEqual([
    { id: '1:2', person: '2', post: '1', type: 'like', created_at: '2024-05-04 10:00:00' },
    { id: '2:2', person: '2', comment: '2', type: 'laugh', created_at: '2024-05-05 10:00:00' },
  ])
  expect(records.bookmarks).toEqual([{ id: '1', person: '2', post: '1', created_at: '2024-05-04 10:00:00' }])
  expect(records.follows).toEqual([{ id: '2:1', follower: '2', following: '1', status: 'active', created_at: '2024-05-04 10:00:00' }])
  expect(records.reports).toEqual([
    {
      id: '6',
      reporter: '2',
      comment: '2',
      reason: 'spam',
      status: 'resolved',
      moderator: '1',
      created_at: '2024-05-04 10:00:00',
      updated_at: '2024-05-06 10:00:00',
    },
    {
      id: '7',
      reporter: '2',
      post: '1',
      reason: 'inappropriate',
      status: 'dismissed',
      created_at: '2024-05-04 10:00:00',
      updated_at: '2024-05-06 10:00:00',
    },
  ])
  expect(unreadable).toEqual([
    'reactions 404:2: its post was not imported',
    'bookmarks 2: the account has another bookmark in the same topic',
    'bookmarks 4: its post was not imported',
    'follows 2:98: its account does not exist in the source',
  ])
})

test('a backup has the uploads, of which those of private messages are left out', async () => {
  const upload = (id: number, name: string, more: Row = {}): Row => ({
    id,
    user_id: 1,
    original_filename: `${name}.png`,
    url: `/uploads/default/original/1X/${name}.png`,
    sha1: id.toString(16).padStart(40, '0'),
    extension: 'png',
    created_at: at(3),
    ...more,
  })
  const sql = dump({
    users: [user(3, 'cleo', { uploaded_avatar_id: 1 })],
    topics: [topic(9, 'Private', { archetype: 'private_message' })],
    posts: [post(2, 1, 2), post(9, 9, 1)],
    uploads: [
      upload(1, 'avatar'),
      upload(2, 'first'),
      upload(3, 'reply', { url: '//s3.example/bucket/original/2X/r.png' }),
      upload(4, 'private'),
      upload(5, 'unused'),
    ],
    upload_references: [
      { upload_id: 2, target_type: 'Post', target_id: 1 },
      { upload_id: 4, target_type: 'Post', target_id: 9 },
      { upload_id: 5, target_type: 'ThemeField', target_id: 1 },
    ],
    post_uploads: [{ post_id: 2, upload_id: 3 }],
  })
  const body = Buffer.from('picture')
  const archive = packTar([
    { name: 'dump.sql.gz', body: gzipSync(sql) },
    { name: 'uploads/default/original/1X/first.png', body },
  ])
  const folder = await folderWith({})
  await writeFile(join(folder, 'backup.tar.gz'), gzipSync(archive))
  const source = await openDiscourse(join(folder, 'backup.tar.gz'), { temporary: folder })
  const found: unknown[] = []
  for await (const entry of source.read('media')) {
    if ('unreadable' in entry) continue
    const content = await source.openMedia(entry)
    found.push([
      entry.id,
      entry.used_for,
      entry.urls,
      content && Buffer.concat(await Array.fromAsync(content as AsyncIterable<Buffer>)).toString(),
    ])
  }
  await source.close()
  expect(found).toEqual([
    ['1', 'profile', ['/uploads/short-url/1.png', '/uploads/default/original/1X/avatar.png'], null],
    ['2', 'feed', ['/uploads/short-url/2.png', '/uploads/default/original/1X/first.png'], 'picture'],
    [
      '3',
      'comment',
      ['/uploads/short-url/3.png', 'https://s3.example/bucket/original/2X/r.png', 'http://s3.example/bucket/original/2X/r.png'],
      null,
    ],
  ])
})

test('what is no backup is refused', async () => {
  const folder = await folderWith({
    'shop.sql': postgresDump({ users: [{ id: 1 }] }),
    'other.tar': Buffer.from(packTar([{ name: 'a', body: 'a' }])),
  })
  await expect(openDiscourse(join(folder, 'shop.sql'), {})).rejects.toThrow(
    'This is not the database of a Discourse community: it has no table categories.',
  )
  await expect(openDiscourse(join(folder, 'other.tar'), {})).rejects.toThrow(
    'The archive is not a Discourse backup: it has no dump.sql.gz.',
  )
})
