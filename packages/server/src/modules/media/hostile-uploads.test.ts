import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { asFile, basic, bomb, fetchFile, fieldPart, filePart, form, mp4, picture, upload } from '#test/media.ts'
import { exchange } from '#test/raw-socket.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

const LIMIT = 200_000

let world: World
let ana: Member
let dataDir: string
beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_MEDIA_MAX_BYTES: String(LIMIT) } })
  dataDir = world.app.services.config.dataDir
  ana = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

const unfinished = () => {
  try {
    return readdirSync(join(dataDir, 'uploads'))
  } catch {
    return []
  }
}
const stored = () => {
  try {
    return readdirSync(join(dataDir, 'media'), { recursive: true }).filter((name) => String(name).includes('.'))
  } catch {
    return []
  }
}

const eventually = async (holds: () => boolean) => {
  for (let i = 0; i < 200 && !holds(); i++) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(holds()).toBe(true)
}

/** Temporary files of every request must be removed, whatever the test tried. */
afterEach(() => eventually(() => unfinished().length === 0))

const send = (body: { type: string; bytes: Buffer }, headers: Record<string, string> = {}) =>
  ana.raw('POST', '/feeds/media-upload', body.bytes, { 'content-type': body.type, ...headers })

const refusedFile = async (bytes: Uint8Array | string, name = 'picture.png', type = 'image/png') => {
  const before = stored().length
  const error = await refused(ana.api.media.upload({ file: asFile(bytes, name, type) }), 400, 'invalid_file_type')
  expect(error.data['allowed_types']).toContain('image/png')
  expect(stored().length).toBe(before)
}

const zip = (name: string, content: string): Buffer => {
  const data = deflateRawSync(content)
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(8, 8)
  head.writeUInt32LE(data.length, 18)
  head.writeUInt32LE(content.length, 22)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name), data, Buffer.from('PK\x05\x06'), Buffer.alloc(18)])
}

describe('files are accepted by their content', () => {
  test.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['an SVG with a declaration', '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['a script', '#!/bin/sh\necho'],
    ['text', 'hello'],
    ['one byte', 'x'],
    ['an executable', Buffer.from('\x7fELF\x02\x01\x01'.padEnd(200, '\0'), 'latin1')],
    ['a Windows executable', Buffer.from('MZ'.padEnd(200, '\0'), 'latin1')],
    ['a JAR', zip('META-INF/MANIFEST.MF', 'x')],
    ['a shockwave', Buffer.from('CWS\x0a'.padEnd(200, 'x'), 'latin1')],
    ['an audio file', Buffer.from('ID3\x04'.padEnd(200, '\0'), 'latin1')],
    ['a PostScript', '%!PS-Adobe-3.0\n'],
    ['an icon', Buffer.from('00000100010010101000', 'hex')],
    ['a GIF that is none', 'GIF89a/*<svg/onload=alert(1)>*/=1;'],
    ['a JPEG that is none', Buffer.from('ffd8ffe0<script>alert(1)</script>', 'latin1')],
    ['a PNG without pixels', bomb(0, 0, 0)],
  ])('%s called picture.png is refused', async (_what, bytes) => {
    await refusedFile(bytes)
    await refusedFile(bytes, 'picture.jpg', 'image/jpeg')
    await refusedFile(bytes, 'x.pdf', 'application/pdf')
  })

  test('an empty file is refused', async () => {
    await refusedFile('', 'empty.png')
  })

  test('TIFF and AVIF images are refused', async () => {
    const image = () => sharp({ create: { width: 9, height: 9, channels: 3, background: '#000' } })
    await refusedFile(await image().tiff().toBuffer())
    await refusedFile(await image().avif({ effort: 0 }).toBuffer())
  })

  test('a picture is recognized whatever its name, and renamed to its type', async () => {
    for (const name of [
      'evil.svg',
      'page.html',
      'x.php',
      'a.png.exe',
      '..\\..\\x',
      '../../etc/passwd',
      'C:\\x\\y.png',
      '.htaccess',
      '',
      'x\u202egnp.exe',
    ]) {
      const { data } = await ana.api.media.upload({ file: asFile(await picture('jpeg')), filename: name || 'x' })
      expect(data.file_type).toBe('image/jpeg')
      expect(data.file_name).toMatch(/^[^/\\.\u202e][^/\\\u202e]*\.jpg$/)
      expect((await fetchFile(ana, data.file_url)).headers.get('content-type')).toBe('image/jpeg')
    }
  })

  test('a long name is truncated', async () => {
    const { data } = await ana.api.media.upload({ file: asFile(await picture()), filename: `${'長'.repeat(400)}.png` })
    expect([...data.file_name]).toHaveLength(104)
    expect((await fetchFile(ana, data.file_url)).status).toBe(200)
  })

  test('metadata of a picture is not served', async () => {
    const bytes = Buffer.concat([await picture('gif'), Buffer.from('<script>alert("polyglot")</script>'), zip('x', 'polyglot')])
    const { file_url, file_type } = await upload(ana, bytes, 'x.html')
    expect(file_type).toBe('image/gif')
    expect((await fetchFile(ana, file_url)).bytes.includes('polyglot')).toBe(false)
  })

  test('archives are stored as they are and downloaded, not shown', async () => {
    const { file_type, file_url } = await upload(ana, zip('notes.txt', 'hello'), 'notes.zip')
    expect(file_type).toBe('application/zip')
    expect((await fetchFile(ana, file_url)).headers.get('content-disposition')).toMatch(/^attachment/)
  })

  test('decompression bombs are refused', async () => {
    const started = performance.now()
    await refusedFile(bomb(30_000, 30_000, 100))
    await refusedFile(bomb(12_000, 12_000))
    expect(performance.now() - started).toBeLessThan(3000)
  })

  test('the server responds to others while it processes an image', async () => {
    const large = await sharp({ create: { width: 4200, height: 4200, channels: 3, background: '#123' } })
      .jpeg({ quality: 30 })
      .toBuffer()
    expect(large.length).toBeLessThan(LIMIT)
    let done = false
    const uploading = upload(ana, large).finally(() => {
      done = true
    })
    let slowest = 0
    while (!done) {
      const started = performance.now()
      await world.request('GET', '//health/live')
      slowest = Math.max(slowest, performance.now() - started)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect((await uploading).width).toBe(4096)
    expect(slowest).toBeLessThan(500)
  })
})

/** Sends the whole body before reading the response, and expects the connection to be closed then. */
const sendThenRead = (path: string, type: string, bytes: Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port, pathname } = new URL(world.base)
    const head = [`POST ${pathname}${path} HTTP/1.1`, 'Host: lyceum', 'Connection: close', `Authorization: ${basic(ana).authorization}`]
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
    let text = ''
    socket.on('error', reject)
    socket.write(`${[...head, `Content-Type: ${type}`, `Content-Length: ${bytes.length}`].join('\r\n')}\r\n\r\n`)
    socket.write(bytes, () => {
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('end', () => {
        socket.destroy()
        resolve(text)
      })
    })
  })

describe('the size', () => {
  test('a client that sends everything before reading gets the error', async () => {
    const { type, bytes } = form([filePart(mp4(100 * LIMIT))])
    expect(await sendThenRead('/feeds/media-upload', type, bytes)).toMatch(/^HTTP\/1.1 413 .*"code":"file_too_large"/s)
    const json = Buffer.from(JSON.stringify({ message: 'x'.repeat(100 * LIMIT) }))
    expect(await sendThenRead('/feeds', 'application/json', json)).toMatch(/^HTTP\/1.1 413 .*"code":"body_too_large"/s)
  })

  test('is limited, and the response names the limit', async () => {
    const before = stored().length
    const error = await refused(ana.api.media.upload({ file: asFile(mp4(LIMIT + 1)) }), 413, 'file_too_large')
    expect(error.data).toMatchObject({ max_size: '195.3 KB', file_size: expect.stringMatching(/^\d+(\.\d)? KB$/) })
    const announced = await refused(ana.api.media.upload({ file: asFile(mp4(10 * LIMIT)) }), 413, 'file_too_large')
    expect(announced.data['file_size']).toBe('1.9 MB')
    expect(stored().length).toBe(before)
  })

  test('may be exactly the limit', async () => {
    expect((await upload(ana, mp4(LIMIT))).file_size).toBe(LIMIT)
  })

  test('is limited while streaming without a Content-Length', async () => {
    const { type, bytes } = form([filePart(mp4(LIMIT * 5))])
    const body = new ReadableStream({
      start(controller) {
        for (let i = 0; i < bytes.length; i += 50_000) controller.enqueue(bytes.subarray(i, i + 50_000))
        controller.close()
      },
    })
    const answer = await fetch(`${world.base}/feeds/media-upload`, {
      method: 'POST',
      headers: { ...basic(ana), 'content-type': type },
      body,
      duplex: 'half',
    } as RequestInit)
    expect(answer.status).toBe(413)
  })
})

describe('the form', () => {
  const good = async () => filePart(await picture())

  test('without a file', async () => {
    for (const parts of [[fieldPart('object_source', 'feed')], [], [filePart('', 'file', '')]]) {
      const { status, body } = await send(form(parts))
      expect([status, body.code, body.data.field]).toEqual([400, 'missing_required_field', 'file'])
    }
    const none = await ana.raw('POST', '/feeds/media-upload')
    expect([none.status, none.body.code, none.body.data.field]).toEqual([400, 'missing_required_field', 'file'])
  })

  test('with two files, or with a wrong field name', async () => {
    for (const parts of [
      [await good(), await good()],
      [filePart(await picture(), 'other'), await good()],
      [filePart(await picture(), 'other')],
    ]) {
      const { status, body } = await send(form(parts))
      expect([status, body.code]).toEqual([400, 'invalid_data'])
    }
  })

  test('with fields', async () => {
    const { status, body } = await send(
      form([fieldPart('object_source', 'comment'), await good(), fieldPart('object_id', '7'), fieldPart('what', 'ever')]),
    )
    expect(status).toBe(201)
    expect((await ana.api.media.get({ media_id: body.data.id })).data).toMatchObject({ object_source: 'comment', object_id: 7 })
  })

  test.each([
    [[fieldPart('object_source', 'nowhere')]],
    [[fieldPart('object_id', '0')]],
    [[fieldPart('object_id', '1e3')]],
    [[fieldPart('object_id', '99999999999999999999')]],
    [[fieldPart('object_source', 'feed'), fieldPart('object_source', 'comment')]],
    [[fieldPart('x\0y', 'z')]],
    [[fieldPart('object_source', 'fe\0ed')]],
    [[fieldPart('__proto__', 'x')]],
    [[fieldPart('constructor', 'x')]],
    [[fieldPart('note', 'x'.repeat(20_000))]],
    [Array.from({ length: 120 }, (_, i) => fieldPart(`field${i}`, 'x'))],
    [[{ head: `Content-Disposition: form-data; name="object_source"\r\nContent-Type: application/json`, body: '{"a":1}' }]],
  ])('with invalid fields %#', async (parts) => {
    for (const all of [
      [...parts, await good()],
      [await good(), ...parts],
    ]) {
      const { status, body } = await send(form(all))
      expect([status, body.code]).toEqual([400, 'invalid_data'])
    }
  })

  test.each([
    ['another type', 'application/json', 415],
    ['no form', 'text/plain', 415],
    ['a form of another kind', 'application/x-www-form-urlencoded', 415],
    ['no boundary', 'multipart/form-data', 400],
    ['an empty boundary', 'multipart/form-data; boundary=', 400],
    ['another boundary', 'multipart/form-data; boundary=other', 400],
    ['a boundary that is too long', `multipart/form-data; boundary=${'x'.repeat(5000)}`, 400],
  ])('as %s', async (_what, type, status) => {
    const answer = await send({ type, bytes: form([await good()]).bytes })
    expect(answer.status).toBe(status)
  })

  test('truncated', async () => {
    const { type, bytes } = form([await good()])
    for (const length of [10, 60, 100, 150, bytes.length - 30, bytes.length - 10]) {
      const { status } = await send({ type, bytes: bytes.subarray(0, length) })
      expect([length, status]).toEqual([length, 400])
    }
  })

  test('not multipart', async () => {
    for (const bytes of [
      Buffer.alloc(5000, 'x'),
      Buffer.alloc(5000),
      Buffer.from('--xxBOUNDARYxx'),
      Buffer.from('--xxBOUNDARYxx\r\n\r\n\r\n--xxBOUNDARYxx--'),
    ]) {
      const { status } = await send({ type: form([]).type, bytes })
      expect(status).toBe(400)
    }
  })

  test('is refused by other operations', async () => {
    const { type, bytes } = form([fieldPart('message', 'hello')])
    const { status, body } = await ana.raw('POST', '/feeds', bytes, { 'content-type': type })
    expect([status, body.code]).toEqual([415, 'unsupported_media_type'])
  })

  test('without credentials is not read at all', async () => {
    const { type, bytes } = form([await good()])
    expect((await world.request('POST', '/feeds/media-upload', bytes, { 'content-type': type })).status).toBe(401)
  })
})

test('an aborted upload leaves no files', async () => {
  const before = stored().length
  const { type, bytes } = form([filePart(mp4(100_000))])
  const port = Number(new URL(world.base).port)
  const head = `POST /api/v2/feeds/media-upload HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(ana).authorization}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes.length}\r\n\r\n`
  for (const [end, reset] of [
    [50_000, true],
    [50_000, false],
    [150, true],
    [0, false],
  ] as const) {
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(head)
        socket.write(bytes.subarray(0, end), () => setTimeout(() => (reset ? socket.resetAndDestroy() : socket.destroy()), 50))
      })
      socket.on('close', () => resolve())
      socket.on('error', () => {})
    })
  }
  await eventually(() => unfinished().length === 0)
  expect(stored().length).toBe(before)
})

test('an upload may take longer than other requests, but not forever', async () => {
  const timed = await createWorld({ clientTimeouts: { head: 500, request: 600, silence: 3000, upload: 2500 } })
  try {
    const bea = await timed.member()
    const { type, bytes } = form([filePart(await picture())])
    const port = Number(new URL(timed.base).port)
    const head = (path: string, contentType: string, length: number) =>
      `POST /api/v2${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(bea).authorization}\r\nContent-Type: ${contentType}\r\nContent-Length: ${length}\r\n\r\n`
    const drip = (path: string, contentType: string, waitMs: number) =>
      new Promise<string>((resolve) => {
        let said = ''
        const socket = connect(port, '127.0.0.1', () => {
          socket.write(head(path, contentType, bytes.length))
          socket.write(bytes.subarray(0, 100))
          setTimeout(() => socket.write(bytes.subarray(100)), waitMs)
        })
        socket.on('data', (data) => {
          said += data
          socket.destroy()
        })
        socket.on('close', () => resolve(said.split('\r\n')[0] ?? ''))
        socket.on('error', () => {})
      })
    const [slow, json, slower] = await Promise.all([
      drip('/feeds/media-upload', type, 1400),
      drip('/feeds', 'application/json', 1400),
      drip('/feeds/media-upload', type, 5000),
    ])
    expect([slow, json, slower]).toEqual(['HTTP/1.1 201 Created', 'HTTP/1.1 408 Request Timeout', 'HTTP/1.1 408 Request Timeout'])
    expect((await exchange(port, ['GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'])).answers[0]?.status).toBe(200)
  } finally {
    await timed.close()
  }
})

test('stalled uploads use little disk and do not block others', async () => {
  const eve = await world.member()
  const { type, bytes } = form([filePart(mp4(100_000))])
  const port = Number(new URL(world.base).port)
  const head = `POST /api/v2/feeds/media-upload HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(eve).authorization}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes.length}\r\n\r\n`
  const answers: string[] = []
  const sockets = Array.from({ length: 20 }, () => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(head)
      socket.write(bytes.subarray(0, 50_000))
    })
    socket.on('data', (data) => answers.push(String(data).split('\r\n')[0] ?? ''))
    return socket.on('error', () => {})
  })
  try {
    await eventually(() => unfinished().length === 6)
    await upload(await world.member())
    await eventually(() => unfinished().length === 6)
    for (const socket of sockets.slice(12)) socket.destroy()
    for (const socket of sockets.slice(0, 12)) socket.write(bytes.subarray(50_000))
    await eventually(() => answers.length === 12)
    expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 201 Created']))
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  await upload(eve)
})

test('a retry with the same idempotency key uploads once', async () => {
  const body = form([filePart(await picture())])
  const [first, second] = [await send(body, { 'idempotency-key': 'k1' }), await send(body, { 'idempotency-key': 'k1' })]
  expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  const other = await send(form([filePart(await picture('png', 9, 9))]), { 'idempotency-key': 'k1' })
  expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch'])
})

describe('a member', () => {
  test('has a limit of uploads per minute', async () => {
    const limited = await createWorld({ env: { LYCEUM_RATE_LIMIT: 'on' } })
    try {
      const bea = await limited.member()
      const results = await Promise.all(
        Array.from(
          { length: 32 },
          async () => (await bea.raw('POST', '/feeds/media-upload', form([filePart('x')]).bytes, { 'content-type': form([]).type })).status,
        ),
      )
      expect(results.filter((status) => status === 429)).toHaveLength(2)
      limited.clock.advance(61)
      await upload(bea)
      const boss = await limited.member({ role: 'admin' })
      const many = await Promise.all(
        Array.from(
          { length: 32 },
          async () =>
            (await boss.raw('POST', '/feeds/media-upload', form([filePart('x')]).bytes, { 'content-type': form([]).type })).status,
        ),
      )
      expect(new Set(many)).toEqual(new Set([400]))
    } finally {
      await limited.close()
    }
  })

  test('has a limit of unattached files', async () => {
    const bea = await world.member()
    await world.app.write(null, async ({ db, now }) => {
      const row = {
        user_id: bea.id,
        file_name: 'x',
        file_type: 'x',
        file_size: 1,
        store: 'disk' as const,
        path: 'aa/x',
        created_at: now,
        updated_at: now,
      }
      for (let i = 0; i < 100; i++)
        await db
          .insertInto('media')
          .values({ ...row, key: `${bea.id}-${i}`, width: null, height: null, thumbnail_path: null, object_id: null })
          .execute()
    })
    const error = await refused(bea.api.media.upload({ file: asFile(await picture()) }), 429, 'rate_limit_exceeded')
    expect(error.data['retry_after']).toBe(7200)
  })
})
