import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSchool } from '#test/course-fixtures.ts'
import { leaveSpace, makeSpace } from '#test/fixtures.ts'
import { asFile, fetchFile, mp4, picture, statusOf, upload } from '#test/media.ts'
import { expectNoScan } from '#test/plans.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let ana: Member
let ben: Member
let mod: Member
let admin: Member
beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  ben = await world.member()
  mod = await world.member({ role: 'moderator' })
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

const postWith = async (member: Member, url: string, body: object = {}) =>
  (await member.api.feeds.create({ message: 'A picture', meta: { media_items: [{ url }] }, ...body })).data.id

const statuses = (url: string, people: (Member | null)[]) => Promise.all(people.map((person) => statusOf(person, url)))

test('an upload returns the stored file, which can be fetched', async () => {
  const answer = await ana.api.media.upload.answer({
    file: asFile(await picture('png', 500, 400)),
    filename: 'dot.png',
    object_source: 'feed',
  })
  expect(answer.status).toBe(201)
  const { data } = answer.body
  expect(data).toMatchObject({ file_name: 'dot.png', file_type: 'image/png', width: 500, height: 400, created_at: '2026-03-10 12:00:00' })
  expect(data.file_url).toMatch(new RegExp(`^${world.origin}/media/[0-9a-f]{32}/dot\\.png$`))
  const whole = await fetchFile(ana, data.file_url)
  expect([whole.status, whole.bytes.length, whole.headers.get('content-type')]).toEqual([200, data.file_size, 'image/png'])
  const small = await fetchFile(ana, data.thumbnail_url ?? '')
  expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/webp'])
})

test('a file is returned with its uploader', async () => {
  const { id, file_url } = await upload(ana)
  const { data } = await ana.api.media.get({ media_id: id })
  expect(data).toMatchObject({ id, user_id: ana.id, file_url, object_source: 'feed', object_id: null, status: 'active' })
  expect(data.uploader).toMatchObject({ id: ana.id, display_name: 'Member 1' })
  expect(world.origin + data.file_path).toBe(file_url)
})

test('an unattached file is visible to its uploader only', async () => {
  const { id, file_url, thumbnail_url } = await upload(ana)
  for (const url of [file_url, thumbnail_url ?? ''])
    expect(await statuses(url, [ana, ben, mod, admin, null])).toEqual([200, 404, 404, 404, 401])
  for (const other of [ben, mod, admin]) {
    await refused(other.api.media.get({ media_id: id }), 404, 'media_not_found')
    await refused(other.api.media.remove({ media_id: id }), 404, 'media_not_found')
  }
})

describe('a file attached to a feed', () => {
  test('is visible with the feed', async () => {
    const { id, file_url } = await upload(ana)
    const feed = await postWith(ana, file_url)
    expect(await statuses(file_url, [ana, ben, admin, null])).toEqual([200, 200, 200, 401])
    expect((await ben.api.media.get({ media_id: id })).data).toMatchObject({ object_source: 'feed', object_id: feed })
    await refused(ben.api.media.remove({ media_id: id }), 403, 'rest_forbidden')
    await ana.api.feeds.update({ feed_id: feed, status: 'draft' })
    expect(await statuses(file_url, [ana, ben, admin])).toEqual([200, 404, 404])
  })

  test.each([
    ['in its text', (url: string) => ({ message: `![here](${url})` })],
    ['as featured image', (url: string) => ({ featured_image: url })],
    ['in meta', (url: string) => ({ meta: { cover: { deep: url } } })],
  ])('%s', async (_where, body) => {
    const { file_url } = await upload(ana)
    await postWith(ana, 'https://elsewhere.example/x.png', body(file_url))
    expect(await statusOf(ben, file_url)).toBe(200)
  })

  test('can be attached by its id', async () => {
    const { id, file_url } = await upload(ana)
    await ana.api.feeds.create({ message: 'x', meta: { media_items: [{ id, url: 'https://elsewhere.example/x.png' }] } })
    expect(await statusOf(ben, file_url)).toBe(200)
  })

  test('is deleted with the feed, or when it is no longer referenced', async () => {
    const [first, second] = [await upload(ana), await upload(ana)]
    const feed = await postWith(ana, first.file_url)
    await ana.api.feeds.update({ feed_id: feed, meta: { media_items: [{ url: second.file_url }] } })
    expect(await statuses(first.file_url, [ana, ben])).toEqual([404, 404])
    expect(await statusOf(ben, second.file_url)).toBe(200)
    await ana.api.feeds.update({ feed_id: feed, title: 'Another title' })
    expect(await statusOf(ben, second.file_url)).toBe(200)
    await ana.api.feeds.remove({ feed_id: feed })
    expect(await statuses(second.file_url, [ana, ben])).toEqual([404, 404])
    await refused(ana.api.media.get({ media_id: second.id }), 404, 'media_not_found')
  })

  test('cannot be published by another member who references its address or id', async () => {
    const { id, file_url } = await upload(ana)
    await ben.api.feeds.create({ message: file_url, featured_image: file_url, meta: { media_items: [{ id, url: file_url }] } })
    expect(await statuses(file_url, [ana, ben])).toEqual([200, 404])
  })

  test('stays attached to the first object that referenced it', async () => {
    const { id, file_url } = await upload(ana)
    const [first, second] = [await postWith(ana, file_url), await postWith(ana, file_url)]
    await ana.api.feeds.remove({ feed_id: second })
    expect((await ben.api.media.get({ media_id: id })).data.object_id).toBe(first)
  })

  test('can be deleted by its uploader and by moderators of the feed', async () => {
    for (const remover of [ana, admin]) {
      const { id, file_url } = await upload(ana)
      await postWith(ana, file_url)
      await remover.api.media.remove({ media_id: id })
      expect(await statuses(file_url, [ana, ben, admin])).toEqual([404, 404, 404])
      await refused(ana.api.media.remove({ media_id: id }), 404, 'media_not_found')
    }
  })

  test('stays the author’s when a moderator edits the feed', async () => {
    const { file_url } = await upload(ana)
    const feed = await postWith(ana, file_url)
    await admin.api.feeds.update({ feed_id: feed, title: 'Moderated', reason: 'House rules' })
    expect(await statusOf(ben, file_url)).toBe(200)
  })
})

describe.each(['private', 'secret'] as const)('in a %s space', (privacy) => {
  test('files are visible to current members only', async () => {
    const space = await makeSpace(world, { privacy, members: [ana, ben] })
    const carl = await world.member()
    const { id, file_url, thumbnail_url } = await upload(ana)
    const feed = await postWith(ana, file_url, { space_id: space.id })
    const inComment = await upload(ben)
    await ben.api.comments.create({ feed_id: feed, comment: 'See', media_images: [inComment.file_url] })
    const urls = [file_url, thumbnail_url ?? '', inComment.file_url]
    for (const url of urls) expect(await statuses(url, [ana, ben, carl, admin, null])).toEqual([200, 200, 404, 200, 401])
    const own = (await fetchFile(carl, file_url)).bytes.toString()
    const none = (await fetchFile(carl, `${world.origin}/media/${'0'.repeat(32)}/picture.png`)).bytes.toString()
    expect(own).toBe(none)
    await refused(carl.api.media.get({ media_id: id }), 404, 'media_not_found')
    expect((await carl.api.media.ofProfile({ username: ana.username })).data.map((item) => item.id)).not.toContain(id)
    expect((await ben.api.media.ofProfile({ username: ana.username })).data.map((item) => item.id)).toContain(id)

    await leaveSpace(world, space, ben)
    for (const url of urls) expect(await statusOf(ben, url)).toBe(404)
    await refused(ben.api.media.get({ media_id: inComment.id }), 404, 'media_not_found')
    expect((await ben.api.media.ofProfile({ username: 'me' })).data.map((item) => item.id)).not.toContain(inComment.id)
  })

  test('logo and cover are deleted with the space', async () => {
    const space = await makeSpace(world, { privacy, admins: [ana], members: [ben] })
    const carl = await world.member()
    const [logo, cover, shared] = [await upload(ana), await upload(ana), await upload(ana)]
    await ana.api.spaces.updateById({
      space_id: space.id,
      logo: logo.file_url,
      cover_photo: cover.file_url,
      settings: { og_image: shared.file_url },
    })
    const outsider = privacy === 'secret' ? 404 : 200
    for (const { file_url } of [logo, cover, shared])
      expect(await statuses(file_url, [ana, ben, carl, null])).toEqual([200, 200, outsider, 401])
    await ana.api.spaces.updateById({ space_id: space.id, logo: '' })
    expect(await statuses(logo.file_url, [ana, ben])).toEqual([404, 404])
    expect(await statusOf(ben, cover.file_url)).toBe(200)
    await ana.api.spaces.removeById({ space_id: space.id })
    expect(await statuses(cover.file_url, [ana, ben])).toEqual([404, 404])
  })
})

test('files of comments are attached and deleted with them', async () => {
  const feed = (await ana.api.feeds.create({ message: 'x' })).data.id
  const file = await upload(ben)
  const { data } = await ben.api.comments.create({ feed_id: feed, comment: '', media_images: [file.file_url] })
  expect(await statusOf(ana, file.file_url)).toBe(200)
  await ben.api.comments.update({ feed_id: feed, comment_id: data.id, comment: 'See', media_images: null })
  expect(await statuses(file.file_url, [ana, ben])).toEqual([404, 404])
  const again = await upload(ben)
  const other = (await ben.api.comments.create({ feed_id: feed, comment: again.file_url })).data.id
  expect(await statusOf(ana, again.file_url)).toBe(200)
  await ana.api.comments.create({ feed_id: feed, parent_id: other, comment: 'a reply' })
  await ben.api.comments.remove({ feed_id: feed, comment_id: other })
  expect(await statusOf(ana, again.file_url)).toBe(404)
})

test('files of a lesson are visible to those who may open it', async () => {
  const school = await makeSchool(admin, { privacy: 'private', lessons: 1, students: [ana], course_type: 'scheduled', settings: {} })
  const { courseId: course_id, sectionId: section_id } = school
  const lesson_id = school.lessons[0] as number
  const { id, file_url } = await upload(admin)
  await admin.api.lessons.update({ course_id, lesson_id, content: `<p><img src="${file_url}"></p>` })
  expect(await statuses(file_url, [ana, ben, admin])).toEqual([200, 404, 200])
  expect((await ana.api.media.get({ media_id: id })).data).toMatchObject({ object_source: 'lesson', object_id: lesson_id })
  await refused(ana.api.media.remove({ media_id: id }), 403, 'rest_forbidden')
  await refused(ben.api.media.get({ media_id: id }), 404, 'media_not_found')
  await admin.api.courseSections.patch({ course_id, section_id, scheduled_at: '2031-01-01 00:00:00' })
  expect(await statuses(file_url, [ana, ben, admin])).toEqual([404, 404, 200])
  await refused(ana.api.media.get({ media_id: id }), 404, 'media_not_found')
  await refused(ana.api.media.remove({ media_id: id }), 404, 'media_not_found')
})

test('profile pictures are public while they are in use', async () => {
  const [avatar, cover, next] = [await upload(ana), await upload(ana), await upload(ana)]
  await ana.api.profiles.update({ username: 'me', avatar: avatar.file_url, cover_photo: cover.file_url })
  for (const { file_url } of [avatar, cover]) expect(await statuses(file_url, [ana, ben, null])).toEqual([200, 200, 200])
  const { headers } = await fetchFile(null, avatar.file_url)
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  await refused(ben.api.media.remove({ media_id: avatar.id }), 403, 'rest_forbidden')
  await ana.api.profiles.update({ username: 'me', avatar: next.file_url })
  expect(await statuses(avatar.file_url, [ana, ben])).toEqual([404, 404])
  for (const { file_url } of [next, cover]) expect(await statusOf(null, file_url)).toBe(200)
})

test('another member’s file cannot be published as a profile picture', async () => {
  const { file_url } = await upload(ana)
  await ben.api.profiles.update({ username: 'me', avatar: file_url })
  expect(await statuses(file_url, [ana, ben, null])).toEqual([200, 404, 401])
})

test('a lock screen and links of a space keep their files attached, whatever else is saved', async () => {
  const space = await makeSpace(world, { privacy: 'private', admins: [ana] })
  const [background, logo] = [await upload(ana), await upload(ana)]
  const path = { space_slug: space.slug }
  await ana.api.spaces.saveLockscreens({ ...path, enabled: true, lockscreen: [{ heading: 'x', background_image: background.file_url }] })
  await ana.api.spaces.updateById({ space_id: space.id, logo: logo.file_url })
  await ana.api.spaces.saveLinks({ ...path, links: [{ title: 'x', permalink: 'https://example.org/' }] })
  for (const { file_url } of [background, logo]) expect(await statuses(file_url, [ana, ben])).toEqual([200, 200])
  await ana.api.spaces.saveLockscreens({ ...path, enabled: true, lockscreen: [] })
  expect(await statuses(background.file_url, [ana, ben])).toEqual([404, 404])
})

test('a suspended member cannot fetch any file, not even their own', async () => {
  const dora = await world.member()
  const { file_url } = await upload(dora)
  await world.app.write(null, async ({ db }) => {
    await db.updateTable('users').set({ status: 'suspended' }).where('id', '=', dora.id).execute()
  })
  expect(await statusOf(dora, file_url)).toBe(403)
})

describe('serving files', () => {
  test('headers prevent files from harming browsers', async () => {
    const { file_url } = await upload(ana, await picture(), 'Grüße "von\' hier; 図.png')
    const { headers } = await fetchFile(ana, file_url)
    expect(headers.get('content-disposition')).toBe(
      `inline; filename="Gr__e von' hier _.png"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20von%27%20hier%20%E5%9B%B3.png`,
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('cache-control')).toBe('private, max-age=300')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('vary')).toContain('authorization')
  })

  test('only pictures and videos are shown inline', async () => {
    const pdf = await upload(ana, Buffer.from('%PDF-1.7\n1 0 obj <</JS (app.alert(1))>>\n%%EOF'), 'x.html')
    expect(pdf).toMatchObject({ file_type: 'application/pdf', file_name: 'x.pdf', width: null, height: null, thumbnail_url: null })
    const { headers } = await fetchFile(ana, pdf.file_url)
    expect([headers.get('content-type'), headers.get('content-disposition')?.split(';')[0]]).toEqual(['application/pdf', 'attachment'])
    expect(await statusOf(ana, pdf.file_url.replace('/x.pdf', '/thumbnail/x.webp'))).toBe(404)
  })

  test('a cached file is not sent again', async () => {
    const { file_url, thumbnail_url } = await upload(ana)
    for (const url of [file_url, thumbnail_url ?? '']) {
      const etag = (await fetchFile(ana, url)).headers.get('etag') ?? ''
      for (const known of [etag, `"x", W/${etag}`, '*']) {
        const { status, bytes, headers } = await fetchFile(ana, url, { 'if-none-match': known })
        expect([status, bytes.length, headers.get('etag')]).toEqual([304, 0, etag])
      }
      expect((await fetchFile(ben, url, { 'if-none-match': etag })).status).toBe(404)
      expect((await fetchFile(ana, url, { 'if-none-match': '"x"' })).status).toBe(200)
    }
  })

  test('HEAD returns the same headers without a body', async () => {
    const { file_url, file_size } = await upload(ana)
    const { status, headers, bytes } = await fetchFile(ana, file_url, {}, 'HEAD')
    expect([status, headers.get('content-length'), bytes.length]).toEqual([200, String(file_size), 0])
    expect((await fetchFile(ben, file_url, {}, 'HEAD')).status).toBe(404)
  })

  test('byte ranges of a video', async () => {
    const content = mp4(1000)
    const { file_url, file_type } = await upload(ana, content, 'clip.mov')
    expect(file_type).toBe('video/mp4')
    const part = (range: string, headers: Record<string, string> = {}) => fetchFile(ana, file_url, { range, ...headers })
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=100-199', 100, 199],
      ['bytes=990-', 990, 999],
      ['bytes=-10', 990, 999],
      ['bytes=-5000', 0, 999],
      ['bytes=500-9999', 500, 999],
    ] as const) {
      const { status, headers, bytes } = await part(range)
      expect([range, status, headers.get('content-range')]).toEqual([range, 206, `bytes ${start}-${end}/1000`])
      expect(bytes.equals(content.subarray(start, end + 1))).toBe(true)
    }
    for (const range of ['bytes=1000-', 'bytes=-0', 'bytes=99999-100000']) {
      const { status, headers } = await part(range)
      expect([status, headers.get('content-range')]).toEqual([416, 'bytes */1000'])
    }
    for (const range of ['bytes=', 'bytes=-', 'bytes=5-2', 'bytes=0-1,4-5', 'items=0-1', 'bytes=a-b']) {
      const { status, bytes } = await part(range)
      expect([range, status, bytes.length]).toEqual([range, 200, 1000])
    }
    const etag = (await fetchFile(ana, file_url)).headers.get('etag') ?? ''
    expect((await part('bytes=0-9', { 'if-range': etag })).status).toBe(206)
    expect((await part('bytes=0-9', { 'if-range': '"other"' })).status).toBe(200)
  })

  test.each(['x', '0'.repeat(31), '0'.repeat(33), 'G'.repeat(32), `${'0'.repeat(31)}'`])('no file is called %s', async (key) => {
    expect(await statusOf(ana, `${world.origin}/media/${key}/x.png`)).toBe(404)
    expect(await statusOf(null, `${world.origin}/media/${key}/x.png`)).toBe(401)
  })

  test('wrong credentials are refused', async () => {
    const { file_url } = await upload(ana)
    expect(await statusOf({ ...ana, password: 'wrong' } as Member, file_url)).toBe(401)
    expect((await fetchFile(null, file_url)).headers.get('www-authenticate')).toBeNull()
  })
})

test('a member’s files are listed newest first, filtered by type and source', async () => {
  const eve = await world.member()
  const first = await upload(eve)
  world.clock.advance(60)
  const second = await upload(eve, mp4(), 'clip.mp4')
  await postWith(eve, first.file_url)
  const list = async (asker: Member, query: object = {}) =>
    (await asker.api.media.ofProfile({ username: eve.username, ...query })).data.map((item) => item.id)
  expect(await list(eve)).toEqual([second.id, first.id])
  expect(await list(ben)).toEqual([first.id])
  expect(await list(eve, { file_type: 'image' })).toEqual([first.id])
  expect(await list(eve, { file_type: 'video/mp4' })).toEqual([second.id])
  expect(await list(eve, { file_type: 'text/html' })).toEqual([])
  expect(await list(eve, { object_source: 'profile' })).toEqual([])
  expect(await list(eve, { object_source: 'feed' })).toEqual([second.id, first.id])
  const page = await eve.api.media.ofProfile({ username: 'me', per_page: 1, page: 2 })
  expect([page.data.map((item) => item.id), page.meta]).toEqual([[first.id], { total: 2, per_page: 1, current_page: 2, total_pages: 2 }])
  await refused(ana.api.media.ofProfile({ username: 'nobody-here' }), 404, 'user_not_found')
  expect((await ana.raw('GET', `/profile/${eve.username}/media?object_source=x`)).status).toBe(400)
})

test('a member’s files are found by index', async () => {
  if (world.dialect !== 'sqlite') return
  for (const asker of [ana, ben, admin]) {
    const plans = await expectNoScan(world, () => asker.api.media.ofProfile({ username: ana.username, file_type: 'image', page: 2 }))
    const list = plans.find(({ sql }) => sql.includes('from media x') && sql.includes('order by'))
    expect(list?.steps.join()).toContain('media_user')
    expect(list?.steps.join()).not.toContain('TEMP B-TREE')
  }
})

test('the preview and the GIF of a feed are removed by its author or by moderators', async () => {
  const meta = { preview: { url: 'https://example.org/' }, gif: { url: 'https://example.org/x.gif' }, kept: 'yes' }
  for (const remover of [ana, admin]) {
    const feed = (await ana.api.feeds.create({ message: 'x', meta })).data.id
    await refused(ben.api.media.removePreview({ feed_id: feed }), 403, 'rest_forbidden')
    await remover.api.media.removePreview({ feed_id: feed })
    expect((await ben.api.feeds.byId({ feed_id: feed })).data.meta).toEqual({ kept: 'yes' })
  }
  await refused(ana.api.media.removePreview({ feed_id: 987654 }), 404, 'feed_not_found')
  const space = await makeSpace(world, { privacy: 'secret', members: [ana] })
  const hidden = (await ana.api.feeds.create({ message: 'x', meta, space_id: space.id })).data.id
  await refused(ben.api.media.removePreview({ feed_id: hidden }), 404, 'feed_not_found')
})
