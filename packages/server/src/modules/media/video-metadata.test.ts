import { afterAll, beforeAll, expect, test } from 'vitest'
import { asFile, fetchFile, upload } from '#test/media.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let ana: Member
beforeAll(async () => {
  world = await createWorld()
  ana = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

const u32 = (...numbers: number[]) => {
  const bytes = Buffer.alloc(numbers.length * 4)
  for (const [i, number] of numbers.entries()) bytes.writeUInt32BE(number, i * 4)
  return bytes
}
const box = (type: string, ...parts: (Buffer | string)[]): Buffer => {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content])
}
/** The same with a 64-bit length. */
const wideBox = (type: string, content: string): Buffer =>
  Buffer.concat([u32(1), Buffer.from(type, 'latin1'), u32(0, content.length + 16), Buffer.from(content, 'latin1')])

const PLACE = '+48.2082+016.3738/'
const LOCATION = ['com.apple.quicktime.location.ISO6709', PLACE].join(' ')
const handler = (type: string) => box('hdlr', u32(0, 0), type, u32(0, 0, 0), '\0')
const track = (type: string, table: Buffer, ...more: Buffer[]) =>
  box('trak', box('tkhd', u32(7, 1)), box('mdia', handler(type), box('minf', table)), ...more)

/** A video as phones and action cameras write it: with the location in every box that any of them uses, and in a track of its own. */
const film = (): Buffer => {
  const head = box('ftyp', 'mp42', u32(0), 'mp42isom')
  const data = box('mdat', 'PICTURES', PLACE, 'SOUND', PLACE)
  const [first, second] = [head.length + 8 + 8, head.length + 8 + 8 + PLACE.length + 5]
  const samples = box(
    'stbl',
    box('stsz', u32(0, 0, 2, PLACE.length, PLACE.length)),
    box('stsc', u32(0, 1, 1, 1, 1)),
    box('stco', u32(0, 2, first, second)),
  )
  const pictures = box('stbl', box('stsd', 'avc1'), box('stco', u32(0, 1, head.length + 8)))
  const moov = box(
    'moov',
    box('mvhd', 'header'),
    track('vide', pictures, box('udta', box('\u00a9xyz', PLACE)), box('meta', LOCATION)),
    track('meta', samples),
    box('udta', box('\u00a9xyz', PLACE), box('loci', PLACE)),
    box('meta', handler('mdta'), box('keys', LOCATION), box('ilst', PLACE)),
    box('gps ', PLACE),
  )
  const fragment = box('moof', box('mfhd', u32(0, 1)), box('traf', box('tfhd', u32(0, 1)), box('udta', PLACE)))
  return Buffer.concat([head, data, moov, fragment, box('uuid', 'xmp', PLACE), wideBox('skip', PLACE), box('free', PLACE)])
}

test('the location is removed from an MP4 video without moving anything else', async () => {
  const sent = film()
  const { file_url, file_type, file_size } = await upload(ana, sent, 'clip.mp4')
  const { bytes } = await fetchFile(ana, file_url)
  expect([file_type, file_size, bytes.length]).toEqual(['video/mp4', sent.length, sent.length])
  expect(bytes.includes(PLACE)).toBe(false)
  expect(bytes.includes('location')).toBe(false)
  for (const kept of ['ftypmp42', 'PICTURES', 'SOUND', 'mvhdheader', 'stsdavc1', 'vide', 'tfhd'])
    expect([kept, bytes.indexOf(kept)]).toEqual([kept, sent.indexOf(kept)])
  expect(bytes.indexOf('moov')).toBe(sent.indexOf('moov'))
})

test('a truncated or malformed video is stored without its location, or refused', async () => {
  const sent = film()
  const cut = sent.subarray(0, sent.indexOf('ilst') + 4 + PLACE.length)
  const { file_url } = await upload(ana, cut, 'clip.mp4')
  expect((await fetchFile(ana, file_url)).bytes.includes(PLACE)).toBe(false)
  const head = box('ftyp', 'mp42', u32(0), 'mp42isom')
  const tiny = Buffer.concat([head, ...Array.from({ length: 20_001 }, () => box('free'))])
  const endless = box('stbl', box('stsz', u32(0, 0xffffffff, 9)), box('stsc', u32(0, 1, 1, 9, 1)), box('stco', u32(0, 1, 0)))
  const once = box('stbl', box('stsz', u32(0, 4000, 1)), box('stsc', u32(0, 1, 1, 1, 1)), box('stco', u32(0, 1, 0)))
  const again = Array.from({ length: 40 }, () => track('meta', once))
  const chunks = u32(...Array.from({ length: 20_001 }, (_, n) => n * 4))
  const scattered = box('stbl', box('stsz', u32(0, 1, 20_001)), box('stsc', u32(0, 1, 1, 1, 1)), box('stco', u32(0, 20_001), chunks))
  for (const bytes of [
    tiny,
    ...[[track('meta', endless)], again, [track('meta', scattered)]].map((all) => Buffer.concat([head, box('moov', ...all)])),
  ])
    await refused(ana.api.media.upload({ file: asFile(bytes, 'clip.mp4', 'video/mp4') }), 400, 'invalid_file_type')
})
