import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import type { Finding } from '@lyceum/importers'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Env, envOf, lyceum, lyceumJson, readyEnv } from '#test/command.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { packTar, type TarMember } from '../../../importers/test-support/pack-tar.ts'
import { MOST_BYTES } from './unpack.ts'

const BREAD = fileURLToPath(new URL('../../../server/test-support/course', import.meta.url))

interface Imported {
  readonly ok: boolean
  readonly id: number
  readonly slug: string
  readonly errors: Finding[]
  readonly notes: Finding[]
}

const scratch = () => mkdtempSync(join(inject('scratch'), 'course-'))

const folderOf = (files: Record<string, string>): string => {
  const folder = scratch()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

let world: World
let env: Env
let admin: Member

beforeAll(async () => {
  world = await createWorld()
  env = envOf(world)
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

const detail = async (id: number) => {
  const { data: course } = await admin.api.courses.byId({ course_id: id })
  const { sections } = await admin.api.courseSections.list({ course_id: id })
  const lessons = await Promise.all(
    sections
      .flatMap((section) => section.lessons)
      .map(async (lesson) => (await admin.api.lessons.byId({ course_id: id, lesson_id: lesson.id })).data),
  )
  return { course, sections, lessons }
}

const IDENTITY = new Set(['id', 'course_id', 'section_id', 'feed_id', 'created_at', 'updated_at', 'published_at', 'serial', 'slug'])
/** What a course is, whoever made it and when, and wherever its files are found. */
const told = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (key, each) => (IDENTITY.has(key) ? undefined : each)).replaceAll(/\/media\/[0-9a-f]{32}\//g, '/media/'))

describe('import', () => {
  test('creates a course from a folder', async () => {
    const made = await lyceumJson<Imported>(env, 'course', 'import', BREAD, '--status', 'published')
    expect(made.notes.map(({ file }) => file)).toEqual(['01-basics/03-check.gift'])
    const { course, sections, lessons } = await detail(made.id)
    expect(course).toMatchObject({
      title: 'Bread at home',
      slug: 'bread-at-home',
      status: 'published',
      category: 'Cooking',
      created_by: admin.id,
      instructor_id: admin.id,
      content: '<p>Bring <strong>flour</strong>, water, salt and <em>patience</em>.</p>',
      lessonsCount: 4,
      settings: expect.objectContaining({ sequential_lesson_order: 'yes' }),
    })
    expect(sections.map(({ title }) => title)).toEqual(['The basics', 'Practice'])
    expect(lessons.map(({ title, status, order }) => [title, status, order])).toEqual([
      ['Flour', 'published', 1],
      ['Water and salt', 'published', 2],
      ['Check', 'published', 3],
      ['The first loaf', 'draft', 4],
      ['Exam', 'published', 5],
    ])
    expect(lessons[0]?.content).toContain('<td>13 %</td>')
    expect(lessons[1]).toMatchObject({
      is_preview: true,
      duration: '10 minutes',
      resources: [{ title: 'Calculator', url: 'https://tools.example.org/dough' }],
    })
    expect(lessons[4]?.quiz).toMatchObject({
      total_questions: 3,
      settings: { passing_score: 80, max_attempts: 3, time_limit: 600, show_correct_answers: false },
    })
  })

  test('its quizzes are graded as they were written', async () => {
    const { id } = await lyceumJson<Imported>(env, 'course', 'import', BREAD, '--status', 'published')
    const { lessons } = await detail(id)
    const quiz = lessons[2]!
    const student = await world.member()
    await student.api.courses.enroll({ course_id: id })
    for (const lesson of lessons.slice(0, 2)) await student.api.progress.complete({ course_id: id, lesson_id: lesson.id })
    const [flour, salt, dough, parts] = quiz.quiz!.questions!
    const key = (texts: string[]) => parts!.options.filter(({ text }) => texts.includes(text)).map((option) => option.id)
    const answers = {
      [flour!.id]: flour!.options.find(({ text }) => text === 'Strong flour')!.id,
      [salt!.id]: 'true',
      [dough!.id]: ' GROWN to twice its size ',
      [parts!.id]: key(['Water', 'Salt']),
    }
    const { quiz_result } = await student.api.quizzes.submit({ course_id: id, lesson_id: quiz.id, answers })
    expect(quiz_result).toMatchObject({ score: 100, correct_answers: 4, passed: true })
  })

  test('creates a second course if repeated', async () => {
    const made = await lyceumJson<Imported>(env, 'course', 'import', BREAD)
    expect(made.slug).toMatch(/^bread-at-home-[a-z0-9]+$/)
    expect((await detail(made.id)).course.status).toBe('draft')
  })

  test('belongs to the given owner', async () => {
    const teacher = await world.member()
    const { id } = await lyceumJson<Imported>(env, 'course', 'import', BREAD, '--owner', teacher.username)
    expect((await detail(id)).course).toMatchObject({ created_by: teacher.id, instructor_id: teacher.id })
    expect((await lyceum(env, ['course', 'import', BREAD, '--owner', 'nobody'])).err).toBe('lyceum: there is no user nobody\n')
    expect((await lyceum(await readyEnv(), ['course', 'import', BREAD])).err).toContain('there is no administrator')
  })

  test('a dry run stores nothing and prints the course', async () => {
    const before = await lyceumJson<unknown[]>(env, 'course', 'list')
    const { code, out } = await lyceum(env, ['course', 'import', BREAD, '--dry-run'])
    expect([code, out]).toEqual([0, expect.stringContaining('The basics\n  Flour\n  Water and salt\n  Check (quiz)\n')])
    expect(await lyceumJson(env, 'course', 'list')).toEqual(before)
  })

  test('reports all errors together, and stores nothing', async () => {
    const folder = folderOf({
      'course.md': '---\nprice: much\n---\n',
      'a/1.gift': 'One {=a\n\nTwo {T}\n\nThree {~x}',
      'a/2.md': '---\ntitle: "x\n---\n',
    })
    const before = await lyceumJson<unknown[]>(env, 'course', 'list')
    const { code, err } = await lyceum(env, ['course', 'import', folder])
    expect(code).toBe(1)
    expect(err.match(/^lyceum: \S+:\d+: /gm)).toEqual([
      'lyceum: course.md:2: ',
      'lyceum: a/2.md:3: ',
      'lyceum: a/1.gift:1: ',
      'lyceum: a/1.gift:5: ',
    ])
    expect(err).toMatch(/nothing was stored: 4 errors\n$/)
    const nowhere = await lyceum(env, ['course', 'import', '/nowhere', '--json'])
    expect([nowhere.code, JSON.parse(nowhere.out)]).toMatchObject([
      1,
      { ok: false, errors: [{ file: '/nowhere', line: null, text: 'there is no file or folder /nowhere' }] },
    ])
    const told = await lyceum(env, ['course', 'import', folder, '--json'])
    expect(JSON.parse(told.out)).toMatchObject({
      ok: false,
      errors: expect.arrayContaining([{ file: 'a/1.gift', line: 5, text: 'no answer is marked as correct' }]),
    })
    expect(await lyceumJson(env, 'course', 'list')).toEqual(before)
  })

  test('a late rejection by a module stores nothing either', async () => {
    const before = await lyceumJson<unknown[]>(env, 'course', 'list')
    const folder = folderOf({ 'a/1.md': 'one', 'b/1.md': '---\nslug: Not A Slug\n---\n' })
    const { code, err } = await lyceum(env, ['course', 'import', folder])
    expect([code, err]).toEqual([1, expect.stringMatching(/^lyceum: b\/1\.md: slug /m)])
    expect(await lyceumJson(env, 'course', 'list')).toEqual(before)
  })
})

describe('export', () => {
  test.each(['folder', 'c.zip', 'c.tar', 'c.tar.gz', 'c.tar.zst'])('to a %s and back is the same course', async (name) => {
    const made = await lyceumJson<Imported>(env, 'course', 'import', BREAD, '--status', 'published')
    const place = join(scratch(), name)
    await lyceumJson(env, 'course', 'export', made.slug, place)
    const again = await lyceumJson<Imported>(env, 'course', 'import', place)
    expect(told(await detail(again.id))).toEqual(told(await detail(made.id)))
  })

  test('into another community keeps the slugs', async () => {
    const made = await lyceumJson<Imported>(env, 'course', 'import', BREAD)
    const place = join(scratch(), 'c.zip')
    await lyceumJson(env, 'course', 'export', String(made.id), place)
    const there = await readyEnv()
    await lyceum(there, ['user', 'create', '--username', 'boss', '--email', 'b@example.org', '--role', 'admin'], 'Quiet-river-7431')
    expect(await lyceumJson(there, 'course', 'import', place)).toMatchObject({ ok: true, slug: made.slug })
  })

  test('overwrites nothing, and recognizes existing files', async () => {
    const { slug } = await lyceumJson<Imported>(env, 'course', 'import', BREAD)
    const full = folderOf({ 'mine.txt': 'x' })
    expect((await lyceum(env, ['course', 'export', slug, full])).err).toContain('is not empty')
    expect((await lyceum(env, ['course', 'export', slug, join(full, 'mine.txt')])).err).toContain('is a file')
    writeFileSync(join(full, 'c.zip'), 'mine')
    expect((await lyceum(env, ['course', 'export', slug, join(full, 'c.zip')])).err).toContain('exists')
    expect(readFileSync(join(full, 'c.zip'), 'utf8')).toBe('mine')
    expect((await lyceum(env, ['course', 'export', 'nothing', join(full, 'x')])).err).toContain('there is no course nothing')
  })
})

const tarOf = (...entries: { name: string; text?: string; type?: NonNullable<TarMember['type']> }[]): Buffer =>
  packTar(entries.map(({ text, ...entry }) => ({ ...entry, ...(text !== undefined && { body: text }) })))

/** A zip archive of one entry that may lie about its name and size. */
const zipOf = (name: string, content: Buffer, { size = content.length, attributes = 0, packed = deflateRawSync(content) } = {}): Buffer => {
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(20, 4)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(packed.length, 18)
  local.writeUInt32LE(size, 22)
  local.writeUInt16LE(Buffer.byteLength(name), 26)
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  central.writeUInt16LE(0x0314, 4)
  central.writeUInt16LE(20, 6)
  central.writeUInt16LE(8, 10)
  central.writeUInt32LE(crc32(content), 16)
  central.writeUInt32LE(packed.length, 20)
  central.writeUInt32LE(size, 24)
  central.writeUInt16LE(Buffer.byteLength(name), 28)
  central.writeUInt32LE(attributes, 38)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length + Buffer.byteLength(name), 12)
  end.writeUInt32LE(local.length + Buffer.byteLength(name) + packed.length, 16)
  return Buffer.concat([local, Buffer.from(name), packed, central, Buffer.from(name), end])
}

describe('malicious archives are refused', () => {
  const refused = async (name: string, content: Buffer) => {
    const file = join(scratch(), name)
    writeFileSync(file, content)
    const { code, err } = await lyceum(env, ['course', 'import', file])
    expect(code).toBe(1)
    return err
  }
  const LESSON = Buffer.from('# One\n')

  test.each([
    ['../evil.md', /invalid relative path|outside/],
    ['/etc/evil.md', /absolute path|outside/],
    ['a/../../evil.md', /invalid relative path|outside/],
    ['a\\evil.md', /invalid characters|no file may have/],
    ['C:/evil.md', /absolute path|outside/],
  ])('a zip with %s', async (name, reason) => {
    expect(await refused('c.zip', zipOf(name, LESSON))).toMatch(reason)
  })

  test.each(['../evil.md', '/etc/evil.md', 'a/../../evil.md', 'a\\evil.md'])('a tar with %s', async (name) => {
    expect(await refused('c.tar', tarOf({ name, text: '# x' }))).toMatch(/outside of the archive|invalid characters/)
  })

  test('a tar whose long name leads out of it', async () => {
    const record = ' path=../evil.md\n'
    const pax = `${record.length + 2}${record}`
    expect(await refused('c.tar', tarOf({ name: 'x', text: pax, type: 'pax-header' }, { name: 'ok.md', text: '# x' }))).toContain(
      'outside of the archive',
    )
  })

  test.each(['link', 'symlink', 'character-device', 'fifo'] as const)('a tar with a link or a device (%s)', async (type) => {
    expect(await refused('c.tar.gz', gzipSync(tarOf({ name: 'a/link.md', type })))).toContain('not a regular file')
  })

  test('a zip with a link', async () => {
    expect(await refused('c.zip', zipOf('a/link.md', Buffer.from('/etc/passwd'), { attributes: (0o120777 << 16) >>> 0 }))).toContain(
      'is not a regular file',
    )
  })

  test('a folder with a link', async () => {
    const folder = folderOf({ 'a/1.md': 'x' })
    symlinkSync('/etc/passwd', join(folder, 'a/2.md'))
    expect((await lyceum(env, ['course', 'import', folder])).err).toContain('a/2.md is not a regular file')
  })

  test('an archive that unpacks to more than allowed', async () => {
    const zeros = Buffer.alloc(MOST_BYTES + 1)
    const packed = deflateRawSync(zeros, { level: 1 })
    expect(await refused('c.zip', zipOf('a/1.md', zeros, { packed }))).toContain('unpacks to more than 128 MB')
    expect(await refused('c.zip', zipOf('a/1.md', zeros, { packed, size: 10 }))).toMatch(/too many bytes|damaged/)
    const tar = packTar([{ name: 'a/1.md', body: zeros }])
    expect(await refused('c.tar.gz', gzipSync(tar, { level: 1 }))).toContain('too large')
  })

  test('too many files', async () => {
    const many = Array.from({ length: 5001 }, (_, index) => ({ name: `a/${index}.md`, text: 'x' }))
    expect(await refused('c.tar.gz', gzipSync(tarOf(...many)))).toContain('more than 5000 files')
  })

  test('the same file twice, a damaged archive, an empty one, none', async () => {
    expect(await refused('c.tar', tarOf({ name: 'a.md', text: 'x' }, { name: 'a.md', text: 'y' }))).toContain('twice')
    expect(await refused('c.zip', zipOf('a.md', LESSON).subarray(0, 60))).toContain('is damaged')
    expect(await refused('c.tar.gz', gzipSync(tarOf({ name: 'a.md', text: 'x' })).subarray(0, 60))).toContain('is damaged')
    expect(await refused('c.tar', tarOf({ name: 'a/', type: 'directory' }))).toContain('is empty')
    expect((await lyceum(env, ['course', 'import', '/nowhere'])).err).toContain('there is no file or folder')
  })
})
