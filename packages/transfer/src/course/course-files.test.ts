import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Finding } from '@lyceum/importers'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Env, envOf, lyceum, lyceumJson, readyEnv } from '#test/command.ts'
import { fetchFile, picture, statusOf } from '#test/media.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

interface Imported {
  readonly ok: boolean
  readonly id: number
  readonly slug: string
  readonly files: number
  readonly errors: Finding[]
  readonly notes: Finding[]
}

const scratch = () => mkdtempSync(join(inject('scratch'), 'course-'))

const folderOf = (files: Record<string, string | Buffer>): string => {
  const folder = scratch()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

/** All files below a folder, by path. */
const filesIn = (folder: string): Map<string, Buffer> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [relative(folder, path), readFileSync(path)]),
  )

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')

let world: World
let env: Env
let admin: Member
let png: Buffer
let course: Record<string, string | Buffer>

beforeAll(async () => {
  world = await createWorld()
  // The command writes addresses for the server that answers here.
  env = { ...envOf(world), LYCEUM_URL: new URL(world.base).origin }
  admin = await world.member({ role: 'admin' })
  png = await picture('png', 16, 12)
  course = {
    'course.md': '---\ntitle: Trees\nstatus: published\nlogo: images/leaf.png\n---\n![A leaf](images/leaf.png)\n',
    'images/leaf.png': png,
    'images/the bark (old).png': await picture('png', 20, 10),
    '01-oaks/01-oak.md': [
      '---',
      'resources:',
      '  - title: A sheet',
      '    url: sheet.pdf',
      '---',
      '# Oaks',
      '![Leaf](../images/leaf.png "A leaf") and ![Bark](<../images/the bark (old).png>), [again](../images/the%20bark%20(old).png#top).',
      '',
      'Not in code: `![x](../images/leaf.png)`',
      '',
      '```',
      '![x](../images/leaf.png)',
      '```',
      '[![Leaf](../images/leaf.png)](sheet.pdf) [elsewhere](https://example.org/a.png) [top](#top) [ref]',
      '',
      '[ref]: sheet.pdf',
    ].join('\n'),
    '01-oaks/sheet.pdf': PDF,
    '01-oaks/02-elm.md': '---\nformat: html\n---\n<p><img src="../images/leaf.png" alt="Leaf"></p>',
  }
})
afterAll(() => world.close())

const lessonsOf = async (id: number) => {
  const { sections } = await admin.api.courseSections.list({ course_id: id })
  return Promise.all(
    sections.flatMap(({ lessons }) =>
      lessons.map(async (lesson) => (await admin.api.lessons.byId({ course_id: id, lesson_id: lesson.id })).data),
    ),
  )
}

const addresses = (html: string) => [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url as string)
const countMedia = async () => (await world.app.services.database.read.selectFrom('media').select('id').execute()).length

describe('files beside the pages', () => {
  test('are stored, and the links lead to them', async () => {
    const made = await lyceumJson<Imported>(env, 'course', 'import', folderOf(course))
    expect([made.notes, made.files]).toEqual([[], 3])
    const { data } = await admin.api.courses.byId({ course_id: made.id })
    expect(data.logo).toMatch(/^http.*\/media\/[0-9a-f]{32}\/leaf\.png$/)
    expect(addresses(data.content ?? '')[0]).toBe(data.logo)
    const [oak, elm] = await lessonsOf(made.id)
    const links = addresses(oak?.content ?? '')
    expect(links.map((url) => new URL(url, 'https://none.example').pathname.replace(/[0-9a-f]{32}/, 'KEY'))).toEqual(
      [
        '/media/KEY/leaf.png',
        '/media/KEY/the%20bark%20%28old%29.png',
        '/media/KEY/the%20bark%20%28old%29.png',
        '/media/KEY/sheet.pdf',
        '/media/KEY/leaf.png',
        '/a.png',
        '/',
        '/media/KEY/sheet.pdf',
      ].filter((path) => path !== '/'),
    )
    expect(oak?.content).toContain('<code>![x](../images/leaf.png)</code>')
    expect(oak?.resources).toEqual([{ title: 'A sheet', url: links[3] }])
    expect(addresses(elm?.content ?? '')).toHaveLength(1)
    expect((await fetchFile(admin, links[0] as string)).headers.get('content-type')).toBe('image/png')
    expect((await fetchFile(admin, links[3] as string)).bytes).toEqual(PDF)
  })

  test('are visible to those who can see the lesson, and to nobody else', async () => {
    const { id } = await lyceumJson<Imported>(env, 'course', 'import', folderOf(course))
    const [oak, elm] = await lessonsOf(id)
    const [student, other] = [await world.member(), await world.member()]
    await student.api.courses.enroll({ course_id: id })
    const [inOak, inElm] = [addresses(oak?.content ?? '')[0] as string, addresses(elm?.content ?? '')[0] as string]
    expect([await statusOf(student, inOak), await statusOf(other, inOak), await statusOf(null, inOak)]).toEqual([200, 404, 401])
    // The same file, but with an access of its own.
    await admin.api.lessons.update({ course_id: id, lesson_id: elm!.id, status: 'draft' })
    expect([await statusOf(student, inOak), await statusOf(student, inElm)]).toEqual([200, 404])
    await admin.api.lessons.remove({ course_id: id, lesson_id: oak!.id })
    expect([await statusOf(admin, inOak), await statusOf(admin, inElm)]).toEqual([404, 200])
  })

  test('survive export and import: the second export equals the first', async () => {
    const made = await lyceumJson<Imported>(env, 'course', 'import', folderOf(course))
    const [first, second] = [join(scratch(), 'out'), join(scratch(), 'out')]
    await lyceumJson(env, 'course', 'export', made.slug, first)
    const there = await readyEnv()
    await lyceum(there, ['user', 'create', '--username', 'boss', '--email', 'b@example.org', '--role', 'admin'], 'Quiet-river-7431')
    const again = await lyceumJson<Imported>(there, 'course', 'import', first)
    expect([again.ok, again.notes, again.files]).toEqual([true, [], 3])
    await lyceumJson(there, 'course', 'export', again.slug, second)
    const written = filesIn(first)
    expect([...written.keys()]).toEqual([
      '01-oaks/01-oaks.md',
      '01-oaks/02-elm.md',
      '01-oaks/section.md',
      'course.md',
      'media/leaf.png',
      'media/sheet.pdf',
      'media/the bark (old).png',
    ])
    expect(filesIn(second)).toEqual(written)
    expect(written.get('media/sheet.pdf')).toEqual(PDF)
    expect(String(written.get('course.md'))).toContain('logo: media/leaf.png')
  })

  test.each(['c.zip', 'c.tar.gz'])('are included in a %s too', async (name) => {
    const { slug } = await lyceumJson<Imported>(env, 'course', 'import', folderOf(course))
    const place = join(scratch(), name)
    await lyceumJson(env, 'course', 'export', slug, place)
    expect(await lyceumJson<Imported>(env, 'course', 'import', place)).toMatchObject({ ok: true, files: 3, notes: [] })
  })

  test('two different files of one name are both kept', async () => {
    const made = await lyceumJson<Imported>(
      env,
      'course',
      'import',
      folderOf({ 'a/1.md': '![x](pic.png)', 'a/pic.png': png, 'b/1.md': '![x](pic.png)', 'b/pic.png': await picture('png', 30, 30) }),
    )
    const place = join(scratch(), 'out')
    await lyceumJson(env, 'course', 'export', made.slug, place)
    expect([...filesIn(place).keys()].filter((path) => path.startsWith('media/'))).toEqual(['media/pic-2.png', 'media/pic.png'])
  })
})

describe('a rejected import stores nothing', () => {
  const refused = async (files: Record<string, string | Buffer>) => {
    const before = await countMedia()
    const { code, err } = await lyceum(env, ['course', 'import', folderOf(files)])
    expect([code, await countMedia()]).toEqual([1, before])
    return err
  }

  test.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'x.svg'],
    ['HTML', '<!doctype html><script>alert(1)</script>', 'x.html'],
    ['HTML under the name of a picture', '<!doctype html><script>alert(1)</script>', 'x.png'],
    ['a broken picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'x.png'],
  ])('%s', async (_, content, name) => {
    expect(await refused({ 'a/1.md': `# One\n\n![x](${name})`, [`a/${name}`]: content })).toContain(
      `lyceum: a/1.md:3: a/${name} has an unsupported type: `,
    )
  })

  test('files that are too large or too many', async () => {
    const big = { ...env, LYCEUM_MEDIA_MAX_BYTES: '1024' }
    const folder = folderOf({ 'a/1.md': '![x](x.pdf)', 'a/x.pdf': Buffer.concat([PDF, Buffer.alloc(2000)]) })
    expect((await lyceum(big, ['course', 'import', folder])).err).toContain('a/1.md:1: a/x.pdf is too large')
    const many = Array.from({ length: 51 }, (_, index) => `p${index}.png`)
    expect(
      await refused({
        'a/1.md': many.map((name) => `![x](${name})`).join('\n'),
        ...Object.fromEntries(many.map((name) => [`a/${name}`, png])),
      }),
    ).toContain('a/1.md:51: it references more than 50 files')
  })

  test('a link that leads out of the folder, and one in the folder that does', async () => {
    expect(await refused({ 'a/1.md': '![x](../../../etc/passwd)' })).toContain('a/1.md:1: ../../../etc/passwd is outside of the course')
    expect(await refused({ 'a/1.md': '![x](..%2f..%2fsecret.png)' })).toContain('is outside of the course')
    const folder = folderOf({ 'a/1.md': '![x](x.png)' })
    symlinkSync('/etc/passwd', join(folder, 'a/x.png'))
    expect((await lyceum(env, ['course', 'import', folder])).err).toContain('a/x.png is not a regular file')
  })

  test('a course that fails late leaves no file behind', async () => {
    const stored = () => filesIn(join(env['LYCEUM_DATA_DIR'] as string, 'media')).size
    const before = stored()
    await refused({ 'a/1.md': '![x](x.png)', 'a/x.png': png, 'b/1.md': '---\nslug: Not A Slug\n---\n' })
    expect(stored()).toBe(before)
  })
})

test('missing files, and unreferenced pages and files, are reported', async () => {
  const made = await lyceumJson<Imported>(
    env,
    'course',
    'import',
    folderOf({ 'course.md': '# C', 'a/1.md': '# One\n![x](gone.png)\n[next](2.md)', 'a/2.md': 'two', 'a/loose.png': png }),
  )
  expect(made.notes.map(({ file, line }) => [file, line])).toEqual([
    ['a/1.md', 2],
    ['a/1.md', 3],
    ['a/loose.png', null],
  ])
  const wrong = await lyceum(env, ['course', 'import', folderOf({ 'a/1.md': '---\nvideo_url: gone.mp4\n---\n' })])
  expect(wrong.err).toContain('a/1.md:2: video_url must be a URL (https://…) or a file of the course')
})
