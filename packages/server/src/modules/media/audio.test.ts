import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asFile, fetchFile, mp4, upload } from '#test/media.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let ana: Member
beforeAll(async () => {
  world = await createWorld()
  ana = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

const PLACE = 'Ana at +48.2082+016.3738/'
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const joined = (...parts: readonly (Buffer | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? latin1(part) : part)))
const le32 = (number: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(number)
  return bytes
}

// ---- MP3: 417 bytes a frame at 128 kbit/s and 44.1 kHz --------------------------------------------------------

const frame = (sound: string) => joined('\xff\xfb\x90\x00', sound.padEnd(413, '\x55'))
const FRAMES = joined(frame('ONE'), frame('TWO'), frame('THREE'))
const id3v2 = (content: string) => joined('ID3\x04\0\0', Buffer.from([0, 0, content.length >> 7, content.length & 127]), content)
const id3v1 = joined('TAG', PLACE.padEnd(125, '\0'))
const ape = (content: string) => joined(content, 'APETAGEX', le32(2000), le32(content.length + 32), le32(1), le32(0), Buffer.alloc(8))
const mp3 = () => joined(id3v2(`TIT2${PLACE}`.padEnd(300, '\0')), FRAMES, ape(PLACE), id3v1)

// ---- WAV --------------------------------------------------------------------------------------------------------

const chunk = (id: string, content: string) => joined(id, le32(content.length), content, content.length % 2 ? '\0' : '')
const riff = (...chunks: readonly Buffer[]) => joined('RIFF', le32(4 + joined(...chunks).length), 'WAVE', ...chunks)
const format = chunk('fmt ', '\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0')
const wav = () =>
  riff(format, chunk('LIST', `INFOIART${PLACE}`), chunk('data', 'SOUND'.repeat(20)), chunk('bext', PLACE), chunk('id3 ', PLACE))

// ---- Ogg --------------------------------------------------------------------------------------------------------

/** The checksum of a page, bit by bit. */
const checksum = (page: Buffer) => {
  let sum = 0
  for (const byte of page) {
    sum ^= byte << 24
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1
  }
  return sum >>> 0
}
const page = (flags: number, lacing: readonly number[], content: Buffer | string, serial = 7) => {
  const head = joined(
    'OggS\0',
    Buffer.from([flags]),
    Buffer.alloc(8),
    le32(serial),
    le32(0),
    le32(0),
    Buffer.from([lacing.length, ...lacing]),
  )
  const bytes = joined(head, content)
  bytes.writeUInt32LE(checksum(bytes), 22)
  return bytes
}
const comments = (start: string, end: string) => joined(start, le32(3), 'enc', le32(1), le32(600), PLACE.padEnd(600, '.'), end)
/** The comments need two pages; the second one also holds the next packet. */
const ogg = (first: string, start: string, end: string) => {
  const list = comments(start, end)
  const rest = list.length - 510
  return joined(
    page(2, [30], first.padEnd(30, '\x01')),
    page(0, [255, 255], list.subarray(0, 510)),
    page(1, [rest, 5], joined(list.subarray(510), 'SETUP')),
    page(4, [5], 'SOUND'),
  )
}
const vorbis = () => ogg('\x01vorbis', '\x03vorbis', '\x01')
const opus = () => ogg('OpusHead', 'OpusTags', '')
const pagesOf = (bytes: Buffer) => {
  const found: Buffer[] = []
  for (let at = 0; at < bytes.length; at += found.at(-1)!.length) {
    const sizes = bytes.subarray(at + 27, at + 27 + bytes[at + 26]!)
    found.push(bytes.subarray(at, at + 27 + sizes.length + sizes.reduce((sum, size) => sum + size, 0)))
  }
  return found
}

// ---- M4A --------------------------------------------------------------------------------------------------------

const be32 = (number: number) => Buffer.from([number >>> 24, (number >> 16) & 255, (number >> 8) & 255, number & 255])
const box = (type: string, ...parts: readonly (Buffer | string)[]) => {
  const content = joined(...parts)
  return joined(be32(content.length + 8), type, content)
}
const m4a = () =>
  joined(box('ftyp', 'M4A ', be32(0), 'M4A isom'), box('mdat', 'SOUND'), box('moov', box('mvhd', 'head'), box('udta', PLACE)))

const FILES = [
  ['MP3', mp3, 'audio/mpeg', 'mp3', ['ONE', 'TWO', 'THREE']],
  ['WAV', wav, 'audio/wav', 'wav', ['fmt ', 'data', 'SOUND']],
  ['Ogg Vorbis', vorbis, 'audio/ogg', 'ogg', ['\x01vorbis', '\x03vorbis', 'SETUP', 'SOUND']],
  ['Ogg Opus', opus, 'audio/ogg', 'ogg', ['OpusHead', 'OpusTags', 'SETUP', 'SOUND']],
  ['M4A', m4a, 'audio/mp4', 'm4a', ['ftypM4A ', 'SOUND', 'mvhdhead']],
] as const

describe.each(FILES)('%s', (_name, make, type, extension, kept) => {
  test('is recognized by its content and loses its tags, and nothing moves', async () => {
    const sent = make()
    expect(sent.includes(PLACE)).toBe(true)
    const { file_url, file_type, file_name, file_size, thumbnail_url } = await upload(ana, sent, 'talk.png')
    expect([file_type, file_name, file_size, thumbnail_url]).toEqual([type, `talk.${extension}`, sent.length, null])
    const { bytes } = await fetchFile(ana, file_url)
    expect([bytes.length, bytes.includes(PLACE)]).toEqual([sent.length, false])
    for (const part of kept) expect([part, bytes.indexOf(part, 0, 'latin1')]).toEqual([part, sent.indexOf(part, 0, 'latin1')])
    if (type === 'audio/ogg')
      for (const one of pagesOf(bytes)) {
        const sum = one.readUInt32LE(22)
        one.writeUInt32LE(0, 22)
        expect(checksum(one)).toBe(sum)
      }
  })

  test('is served in ranges, shown inline and never as anything else', async () => {
    const sent = make()
    const { file_url } = await upload(ana, sent, 'talk.html')
    const { status, headers, bytes } = await fetchFile(ana, file_url, { range: 'bytes=2-5' })
    expect([status, headers.get('content-range'), bytes.length]).toEqual([206, `bytes 2-5/${sent.length}`, 4])
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-disposition')).toMatch(new RegExp(`^inline; filename="talk.${extension}"`))
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('content-security-policy')).toContain('sandbox')
  })
})

test('the comments of an Ogg file are an empty list', async () => {
  const { file_url } = await upload(ana, vorbis(), 'talk.ogg')
  const [, list] = pagesOf((await fetchFile(ana, file_url)).bytes)
  expect(list!.toString('latin1', 29, 29 + 16)).toBe(`\x03vorbis${'\0'.repeat(8)}\x01`)
})

const HTML = '<!doctype html><script>alert(1)</script>'

test.each([
  ['HTML after an ID3 tag', joined(id3v2(PLACE), HTML, FRAMES)],
  ['HTML behind one frame', joined(frame('ONE'), HTML.padEnd(2000))],
  ['HTML with a sync word', joined('\xff\xfb\x90\x00', HTML.padEnd(2000))],
  ['an ID3 tag alone', id3v2(PLACE)],
  ['an ID3 tag that is cut off', id3v2(PLACE).subarray(0, 20)],
  ['a layer II file', joined(...['a', 'b', 'c'].map((sound) => joined('\xff\xfd\x80\x00', sound.padEnd(413))))],
  ['a WAV without sound', riff(format)],
  ['a WAV without a format', riff(chunk('data', 'SOUND'))],
  ['a WAV of many chunks', riff(format, ...Array.from({ length: 1001 }, () => chunk('LIST', '')), chunk('data', 'x'))],
  ['an Ogg that is cut off in its comments', vorbis().subarray(0, 400)],
  ['an Ogg without comments', joined(page(2, [30], '\x01vorbis'.padEnd(30)), page(4, [5], 'SOUND'))],
  ['an Ogg with another codec', ogg('Speex  ', 'OpusTags', '')],
  ['an Ogg of two streams', joined(vorbis(), page(2, [30], '\x01vorbis'.padEnd(30), 8), page(4, [5], PLACE.slice(0, 5), 8))],
  ['an AIFF', joined('FORM', be32(100), 'AIFF', Buffer.alloc(100))],
  ['a MIDI file', joined('MThd', be32(6), Buffer.alloc(60))],
])('%s is refused', async (_what, bytes) => {
  await refused(ana.api.media.upload({ file: asFile(bytes, 'talk.mp3', 'audio/mpeg') }), 400, 'invalid_file_type')
})

test('what follows the chunks of a WAV is emptied', async () => {
  const sent = joined(wav(), `\x01${HTML}`)
  const { file_url } = await upload(ana, sent, 'talk.wav')
  const { bytes } = await fetchFile(ana, file_url)
  expect([bytes.length, bytes.includes('script'), bytes.includes('SOUND')]).toEqual([sent.length, false, true])
})

test('a post and a comment carry audio, and the files of a member are listed by this class', async () => {
  const eve = await world.member()
  const [first, second] = [await upload(eve, mp3(), 'talk.mp3'), await upload(eve, wav(), 'talk.wav')]
  await upload(eve, mp4(), 'clip.mp4')
  const item = ({ file_url, file_type, id }: typeof first) => ({ url: file_url, type: file_type, id })
  const { data } = await eve.api.feeds.create({ message: 'Listen', content_type: 'audio', meta: { media_items: [item(first)] } })
  await eve.api.comments.create({ feed_id: data.id, comment: 'And this', meta: { media_items: [item(second)] } })
  const ben = await world.member()
  expect((await ben.api.feeds.byId({ feed_id: data.id })).data.content_type).toBe('audio')
  for (const { file_url } of [first, second]) expect((await fetchFile(ben, file_url)).status).toBe(200)
  const audio = await eve.api.media.ofProfile({ username: eve.username, file_type: 'audio' })
  expect(audio.data.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort())
})
