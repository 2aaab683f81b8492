import { describe, expect, test } from 'vitest'
import { activity, comment, group, type Row, user, withSite } from '../../test-support/buddypress-dump.ts'

const picked = <T extends object, K extends keyof T>(records: readonly T[], ...keys: K[]) =>
  records.map((record) => keys.map((key) => record[key]))

const meta = (id: number, activity_id: number, meta_key: string, meta_value: string): Row => ({ id, activity_id, meta_key, meta_value })

describe('updates', () => {
  test('are posts of their group, or outside of spaces; without their group they are left out', async () => {
    const tables = {
      bp_groups: [group(7, 'bread')],
      bp_activity: [
        activity(1),
        activity(2, { component: 'groups', item_id: 7 }),
        activity(3, { component: 'groups', item_id: 8 }),
        activity(4, { user_id: 99 }),
        activity(5, { type: 'new_blog_post' }),
        activity(6, { date_recorded: '0000-00-00 00:00:00' }),
      ],
    }
    await withSite({ tables }, async ({ source, records, unreadable }) => {
      expect(picked(await records('posts'), 'id', 'author', 'space', 'created_at')).toEqual([
        ['1', '1', undefined, '2021-01-01 00:00:01'],
        ['2', '1', '7', '2021-01-01 00:00:02'],
        ['4', '99', undefined, '2021-01-01 00:00:04'],
        ['6', '1', undefined, '2020-01-01 08:00:00'],
      ])
      expect(await unreadable('posts')).toMatchObject([
        { id: '3', outcome: 'skipped', reason: expect.stringContaining('its group does not exist in the source') },
      ])
      expect((await source.counts()).posts).toBe(5)
    })
  })

  test('are never visible to more people than before', async () => {
    const tables = {
      bp_groups: [group(7, 'open'), group(8, 'closed', { status: 'private' })],
      bp_activity: [
        activity(1, { is_spam: 1, hide_sitewide: 1 }),
        activity(2, { hide_sitewide: 1 }),
        activity(3, { hide_sitewide: 1, component: 'groups', item_id: 7 }),
        activity(4, { hide_sitewide: 1, component: 'groups', item_id: 8 }),
        activity(5, { privacy: 'onlyme' }),
        activity(6, { privacy: 'friends', user_id: 2 }),
        activity(7, { privacy: 'vip' }),
        activity(8, { privacy: 'loggedin' }),
        activity(9, { status: 'scheduled', date_recorded: '2030-01-01 00:00:00' }),
        activity(10, { privacy: 'public' }),
      ],
      bp_suspend: [{ id: 1, item_id: 10, item_type: 'activity', hide_sitewide: 1 }],
    }
    await withSite({ tables }, async ({ records, unreadable }) => {
      expect(picked(await records('posts'), 'id', 'status', 'privacy', 'scheduled_at')).toEqual([
        ['1', 'spam', 'public', undefined],
        ['2', 'pending', 'private', undefined],
        ['3', 'published', 'private', undefined],
        ['4', 'published', 'public', undefined],
        ['5', 'draft', 'private', undefined],
        ['6', 'published', 'private', undefined],
        ['7', 'draft', 'private', undefined],
        ['8', 'published', 'public', undefined],
        ['9', 'scheduled', 'public', '2030-01-01 00:00:00'],
        ['10', 'pending', 'public', undefined],
      ])
      expect(picked(await records('people'), 'username', 'is_private')).toEqual([
        ['ana', undefined],
        ['ben', true],
      ])
      expect((await unreadable('posts')).map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(
        ['2', '5', '6', '7', '10'].map((id) => `${id} noted`),
      )
    })
  })

  test('of BuddyBoss have titles, attachments, previews, topics, pins and the times of changes', async () => {
    const preview = 'a:3:{s:3:"url";s:17:"https://p.example";s:5:"title";s:1:"T";s:13:"attachment_id";i:12;}'
    const file = (id: number, more: Row = {}): Row => ({
      ...{ id, attachment_id: id, user_id: 1, title: `p${id}.png`, activity_id: 1, privacy: 'public', menu_order: 0 },
      ...more,
    })
    const attached = (ID: number): Row => ({ meta_id: ID, post_id: ID, meta_key: '_wp_attached_file', meta_value: `2024/05/f${ID}.png` })
    const tables = {
      bp_groups: [group(7, 'bread')],
      bp_groups_groupmeta: [{ id: 1, group_id: 7, meta_key: 'bb_pinned_post', meta_value: '2' }],
      options: [
        { option_id: 1, option_name: 'bb_pinned_post', option_value: '1' },
        { option_id: 2, option_name: 'home', option_value: 'https://old.example' },
      ],
      bp_activity: [
        activity(1, { post_title: 'A &amp; B', content: '', date_updated: '2021-02-02 00:00:00' }),
        activity(2, { component: 'groups', item_id: 7 }),
      ],
      bp_activity_meta: [
        meta(1, 1, 'bp_media_ids', '2,1,77'),
        meta(2, 1, 'bp_document_ids', '5,'),
        meta(3, 1, '_link_preview_data', preview),
        meta(4, 1, '_is_edited', '2021-01-05 00:00:00'),
        meta(5, 1, 'bb_is_closed_comments', '1'),
        meta(6, 2, 'bp_media_ids', 'broken]'),
        meta(7, 2, '_gif_raw_data', 'a:9:{broken'),
      ],
      bp_media: [
        file(1),
        file(2),
        file(3, { activity_id: 2 }),
        file(4, { activity_id: 0 }),
        file(5, { activity_id: 1, message_id: 9 }),
        file(6, { activity_id: 2, privacy: 'onlyme' }),
        file(7, { activity_id: 2, attachment_id: 99 }),
      ],
      bp_document: [file(5, { attachment_id: 15, title: 'Prices' })],
      postmeta: [1, 2, 3, 4, 5, 6, 12, 15].map(attached),
      bb_topics: [
        { id: 1, name: 'Rye', slug: 'rye' },
        { id: 2, name: 'News', slug: 'news' },
      ],
      bb_topic_relationships: [
        { id: 1, topic_id: 1, item_type: 'groups', item_id: 7, permission_type: 'members', date_created: '2020-12-01 00:00:00' },
        { id: 2, topic_id: 2, item_type: 'activity', item_id: 0, permission_type: 'mods_admins', date_created: '2020-12-02 00:00:00' },
      ],
      bb_activity_topic_relationship: [
        { id: 1, topic_id: 1, activity_id: 2 },
        { id: 2, topic_id: 9, activity_id: 2 },
      ],
    }
    await withSite({ tables }, async ({ source, records, unreadable }) => {
      const [first, second] = await records('posts')
      expect(first).toMatchObject({
        ...{ title: 'A & B', message: '', media: ['media:2', 'media:1', 'document:5'], comments_disabled: true, is_sticky: true },
        ...{ edited_at: '2021-01-05 00:00:00', updated_at: '2021-01-05 00:00:00', active_at: '2021-02-02 00:00:00' },
        preview: { url: 'https://p.example', title: 'T', image: 'https://old.example/wp-content/uploads/2024/05/f12.png' },
      })
      expect(second).toMatchObject({ media: ['media:3'], topics: ['1'], is_sticky: true })
      expect(second).not.toHaveProperty('gif')
      expect((await unreadable('posts')).map(({ id, reason }) => `${id} ${reason.slice(0, 22)}`)).toEqual(['2 its GIF cannot be read'])
      expect(picked(await records('topics'), 'title', 'spaces', 'admin_only', 'created_at')).toEqual([
        ['Rye', ['7'], undefined, '2020-12-01 00:00:00'],
        ['News', null, true, '2020-12-02 00:00:00'],
      ])
      expect(picked(await records('media'), 'id', 'file', 'file_name', 'used_for')).toEqual([
        ['document:5', '2024/05/f15.png', 'Prices.png', 'feed'],
        ['media:1', '2024/05/f1.png', 'p1.png', 'feed'],
        ['media:2', '2024/05/f2.png', 'p2.png', 'feed'],
        ['media:3', '2024/05/f3.png', 'p3.png', 'feed'],
        ['file:2024/05/f12.png', '2024/05/f12.png', 'f12.png', 'feed'],
      ])
      expect((await unreadable('media')).map(({ id, reason }) => `${id} ${reason}`)).toEqual([
        'media:6 its privacy (onlyme) is stricter than that of its post',
        'media:7 its file is not among the attachments of the source',
      ])
      expect((await source.counts()).media).toBe(7)
      expect(await source.leftOut()).toEqual({ 'files of private messages': 1, 'files outside of posts': 1 })
    })
  })

  test('mention people by their present names; files in texts come along', async () => {
    const mention = `<a class='bp-suggestions-mention' data-bb-hp-profile='2' href='{{mention_user_id_2}}' rel='nofollow'>@benny</a>`
    const tables = {
      bp_activity: [
        activity(1, { content: `${mention} said \\"hi\\"\n\n<a href='https://old.example/members/ana/'>@ana</a>` }),
        comment(2, 1, 1, { content: '<img src="https://old.example/wp-content/uploads/2024/05/a%20b.png"> /wp-content/uploads/x.pdf' }),
        activity(3, { content: '<img src="/wp-content/uploads/x.pdf">' }),
      ],
    }
    await withSite({ tables }, async ({ records }) => {
      expect((await records('posts'))[0]).toMatchObject({ message: '<p>@ben said "hi"</p><p>@ana</p>', format: 'html' })
      expect(picked(await records('media'), 'id', 'file', 'owner', 'used_for', 'urls')).toEqual([
        [
          'file:2024/05/a b.png',
          '2024/05/a b.png',
          '1',
          'comment',
          ['/wp-content/uploads/2024/05/a b.png', '/wp-content/uploads/2024/05/a%20b.png'],
        ],
        ['file:x.pdf', 'x.pdf', '1', 'comment', ['/wp-content/uploads/x.pdf']],
      ])
    })
  })

  test('may be huge', async () => {
    const content = `${'word '.repeat(400_000)}\\\\`
    await withSite({ tables: { bp_activity: [activity(1, { content })] } }, async ({ records }) => {
      expect((await records('posts'))[0]?.message).toHaveLength('<p></p>'.length + content.length - 1)
    })
  })

  test('whose rows are broken are reported', async () => {
    const tables = { bp_activity: [activity(1), activity(2), activity(2, { content: 'again' })] }
    await withSite({ tables }, async ({ records, unreadable }) => {
      expect((await records('posts')).map(({ id, message }) => `${id} ${message}`)).toEqual(['1 <p>Text 1</p>', '2 <p>Text 2</p>'])
      expect(await unreadable('posts')).toMatchObject([{ reason: expect.stringContaining('primary key') }])
    })
  })
})

describe('comments', () => {
  test('keep their threads of any depth, each after what it answers', async () => {
    const tables = {
      bp_activity: [
        activity(1),
        activity(2),
        activity(3, { type: 'joined_group' }),
        comment(9, 1, 20),
        comment(10, 1, 1),
        comment(11, 1, 10, { is_spam: 1 }),
        comment(12, 1, 11),
        comment(13, 1, 99),
        comment(14, 2, 10),
        comment(15, 98, 98),
        comment(16, 3, 3),
        comment(17, 1, 17),
        comment(18, 1, 19),
        comment(19, 1, 18),
        comment(20, 1, 12),
        comment(21, 1, 19, { user_id: 98 }),
      ],
      bp_suspend: [{ id: 1, item_id: 12, item_type: 'activity_comment', hide_sitewide: 1 }],
    }
    await withSite({ tables }, async ({ source, records, unreadable }) => {
      const comments = await records('comments')
      expect(picked(comments, 'id', 'post', 'parent', 'status')).toEqual([
        ['10', '1', undefined, 'published'],
        ['13', '1', undefined, 'published'],
        ['14', '2', undefined, 'published'],
        ['17', '1', undefined, 'published'],
        ['11', '1', '10', 'spam'],
        ['12', '1', '11', 'pending'],
        ['20', '1', '12', 'published'],
        ['9', '1', '20', 'published'],
        ['18', '1', undefined, 'published'],
        ['19', '1', '18', 'published'],
        ['21', '1', '19', 'published'],
      ])
      expect(comments.find(({ id }) => id === '21')?.author).toBe('98')
      expect((await unreadable('comments')).map(({ id, reason }) => `${id} ${reason}`)).toEqual([
        '13 it was imported as a top-level comment: its parent is missing or belongs to another post',
        '14 it was imported as a top-level comment: its parent is missing or belongs to another post',
        '15 its post does not exist in the source',
        '16 its activity is not a post (joined_group)',
        '17 it was imported as a top-level comment: its parent is missing or belongs to another post',
        '18 it was imported as a top-level comment: its parent is missing or belongs to another post',
      ])
      expect((await source.counts()).comments).toBe(13)
    })
  })

  test('on a single file of a post belong to the post', async () => {
    const tables = {
      bp_activity: [
        activity(1),
        activity(2, { privacy: 'media', hide_sitewide: 1, secondary_item_id: 1 }),
        activity(3, { privacy: 'media', hide_sitewide: 1 }),
        activity(4, { privacy: 'public', secondary_item_id: 1 }),
        comment(5, 2, 2),
        comment(6, 2, 5),
        comment(7, 3, 3),
        comment(8, 4, 4),
      ],
      bp_activity_meta: [meta(1, 4, 'bp_media_activity', '1'), meta(2, 1, 'bp_media_ids', '1,2')],
      bp_media: [
        { id: 1, attachment_id: 11, activity_id: 2, privacy: 'public' },
        { id: 2, attachment_id: 12, activity_id: 3, privacy: 'public' },
      ],
      postmeta: [
        { meta_id: 1, post_id: 12, meta_key: 'bp_media_parent_activity_id', meta_value: '1' },
        { meta_id: 2, post_id: 11, meta_key: '_wp_attached_file', meta_value: 'a.png' },
        { meta_id: 3, post_id: 12, meta_key: '_wp_attached_file', meta_value: 'b.png' },
      ],
      bb_user_reactions: [{ id: 1, user_id: 2, reaction_id: 1, item_type: 'activity', item_id: 2, date_created: '2021-03-03 03:03:03' }],
    }
    await withSite({ tables }, async ({ records, unreadable }) => {
      expect(picked(await records('posts'), 'id', 'media')).toEqual([['1', ['media:1', 'media:2']]])
      expect(picked(await records('comments'), 'id', 'post', 'parent')).toEqual([
        ['5', '1', undefined],
        ['7', '1', undefined],
        ['8', '1', undefined],
        ['6', '1', '5'],
      ])
      expect(await unreadable('reactions')).toMatchObject([{ id: '1', reason: expect.stringContaining('a single file of a post') }])
    })
  })
})

describe('reactions', () => {
  const favorites = (umeta_id: number, user_id: number, meta_value: string): Row => ({
    umeta_id,
    user_id,
    meta_key: 'bp_favorite_activities',
    meta_value,
  })

  test('are the favorites of each person, from the day when both existed', async () => {
    const tables = {
      users: [user(1, 'Ana', { user_registered: '2022-02-02 00:00:00' }), user(2, 'Ben'), user(3, 'Cy'), user(4, 'Di')],
      usermeta: [
        favorites(1, 1, 'a:2:{i:0;i:1;i:1;s:1:"2";}'),
        favorites(2, 2, 'a:4:{i:0;i:1;i:1;i:1;i:2;i:99;i:3;i:3;}'),
        favorites(3, 3, 'a:2:{i:0;i:1;i:1'),
        favorites(4, 4, ''),
        favorites(5, 98, 'a:1:{i:0;i:1;}'),
        favorites(6, 1, 'a:1:{i:0;i:1;}'),
      ],
      bp_activity: [activity(1), comment(2, 1, 1), activity(3, { type: 'joined_group' })],
    }
    await withSite({ tables }, async ({ source, records, unreadable }) => {
      expect(picked(await records('reactions'), 'person', 'post', 'comment', 'type', 'created_at')).toEqual([
        ['1', '1', undefined, 'like', '2022-02-02 00:00:00'],
        ['1', undefined, '2', 'like', '2022-02-02 00:00:00'],
        ['2', '1', undefined, 'like', '2021-01-01 00:00:01'],
      ])
      expect((await unreadable('reactions')).map(({ id, reason }) => `${id} ${reason}`)).toEqual([
        'favorite:2:99 its post or comment does not exist in the source',
        'favorite:2:3 its activity is not a post (joined_group)',
        'favorites:3 the list of favorites cannot be read',
        'favorites:98 its account does not exist in the source',
      ])
      expect((await source.counts()).reactions).toBe(7)
    })
  })

  test('of BuddyBoss have their kind and date, one for each person and activity', async () => {
    const reaction = (id: number, user_id: number, reaction_id: number, item_id: number, more: Row = {}): Row => ({
      ...{ id, user_id, reaction_id, item_type: 'activity', item_id, date_created: `2021-04-0${id} 00:00:00` },
      ...more,
    })
    const tables = {
      users: [1, 2, 3].map((id) => user(id, `p${id}`)),
      usermeta: [favorites(1, 1, 'a:1:{i:0;i:1;}'), favorites(2, 3, 'a:1:{i:0;i:1;}')],
      posts: [
        { ID: 5, post_type: 'bb_reaction', post_title: 'Likes', post_content: 'a:1:{s:4:"name"' },
        { ID: 6, post_type: 'bb_reaction', post_title: '', post_content: 'a:2:{s:4:"name";s:4:"Love";s:4:"icon";s:5:"2764f";}' },
      ],
      bp_activity: [activity(1), comment(2, 1, 1)],
      bb_user_reactions: [
        reaction(1, 1, 5, 1),
        reaction(2, 1, 6, 1),
        reaction(3, 2, 6, 2, { item_type: 'activity_comment', date_created: '0000-00-00 00:00:00' }),
        reaction(4, 98, 5, 1),
        reaction(5, 2, 77, 1),
        reaction(6, 2, 5, 99),
      ],
    }
    await withSite({ tables }, async ({ records, unreadable }) => {
      expect(picked(await records('reactions'), 'id', 'person', 'post', 'comment', 'type', 'created_at')).toEqual([
        ['2', '1', '1', undefined, 'love', '2021-04-02 00:00:00'],
        ['3', '2', undefined, '2', 'love', '2021-01-01 00:00:02'],
        ['5', '2', '1', undefined, 'like', '2021-04-05 00:00:00'],
        ['favorite:3:1', '3', '1', undefined, 'like', '2021-01-01 00:00:01'],
      ])
      expect((await unreadable('reactions')).map(({ id }) => id)).toEqual(['1', '4', '6', 'favorite:1:1'])
    })
  })
})

test('bookmarks and reports of BuddyBoss; blocks between members are counted', async () => {
  const tables = {
    bp_activity: [activity(1), comment(2, 1, 1)],
    bb_bookmark: [
      { id: 1, user_id: 1, type: 'activity', item_id: 1, status: 1, date_recorded: '2021-06-01 00:00:00' },
      { id: 2, user_id: 2, type: 'activity', item_id: 1, status: 0, date_recorded: '2021-06-01 00:00:00' },
      { id: 3, user_id: 2, type: 'activity', item_id: 99, status: 1, date_recorded: '2021-06-01 00:00:00' },
      { id: 4, user_id: 2, type: 'activity', item_id: 1, status: 1, date_recorded: null },
    ],
    bp_suspend: [
      { id: 1, item_id: 1, item_type: 'activity', hide_sitewide: 0 },
      { id: 2, item_id: 2, item_type: 'activity_comment', hide_sitewide: 0 },
      { id: 3, item_id: 2, item_type: 'user', hide_sitewide: 0 },
      { id: 4, item_id: 7, item_type: 'forum_topic', hide_sitewide: 0 },
      { id: 5, item_id: 99, item_type: 'activity', hide_sitewide: 0 },
    ],
    terms: [{ term_id: 1, name: 'Harassment', slug: 'harassment' }],
    bp_moderation: [
      {
        id: 1,
        moderation_id: 1,
        user_id: 2,
        content: 'Bad &amp; rude',
        date_created: '2021-06-02 00:00:00',
        category_id: 1,
        user_report: 0,
      },
      { id: 2, moderation_id: 2, user_id: 99, content: '', date_created: '2021-06-02 00:00:00', category_id: 9, user_report: 0 },
      { id: 3, moderation_id: 3, user_id: 1, content: 'x', date_created: '2021-06-02 00:00:00', category_id: 0, user_report: 1 },
      { id: 4, moderation_id: 3, user_id: 1, content: '', date_created: '2021-06-02 00:00:00', category_id: 0, user_report: 0 },
      { id: 5, moderation_id: 4, user_id: 1, content: '', date_created: '2021-06-02 00:00:00', category_id: 0, user_report: 0 },
      { id: 6, moderation_id: 5, user_id: 1, content: '', date_created: '2021-06-02 00:00:00', category_id: 0, user_report: 0 },
    ],
  }
  await withSite({ tables }, async ({ source, records, unreadable }) => {
    expect(picked(await records('bookmarks'), 'id', 'person', 'post', 'created_at')).toEqual([
      ['1', '1', '1', '2021-06-01 00:00:00'],
      ['4', '2', '1', '2021-01-01 00:00:01'],
    ])
    expect(await unreadable('bookmarks')).toMatchObject([{ id: '3', reason: 'its post does not exist in the source (activity 99)' }])
    expect(picked(await records('reports'), 'id', 'reporter', 'post', 'comment', 'person', 'reason', 'description')).toEqual([
      ['1', '2', '1', undefined, undefined, 'harassment', 'Harassment: Bad & rude'],
      ['2', null, undefined, '2', undefined, 'other', undefined],
      ['3', '1', undefined, undefined, '2', 'other', 'x'],
    ])
    expect((await unreadable('reports')).map(({ id }) => id)).toEqual(['5', '6'])
    expect((await source.counts()).reports).toBe(5)
    expect(await source.leftOut()).toEqual({ 'blocks between members': 1 })
  })
})
