import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { sharp } from '#test/media.ts'
import { convertImage, type ImageType } from '../../../server/src/images/index.ts'
import { isCleanImage } from './clean-image.ts'

const scratch = mkdtempSync(join(tmpdir(), 'clean-image-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
let made = 0

const convert = async (bytes: Buffer, type: ImageType) => {
  made += 1
  const [from, whole, small] = ['in', 'whole', 'small'].map((name) => join(scratch, `${made}.${name}`)) as [string, string, string]
  writeFileSync(from, bytes)
  const size = await convertImage(1, from, type, whole, small)
  return { bytes: readFileSync(whole), size }
}

const noise = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: '#123456', noise: { type: 'gaussian', mean: 100, sigma: 60 } } })
const clear = () => sharp({ create: { width: 60, height: 40, channels: 4, background: { r: 1, g: 2, b: 3, alpha: 0.5 } } })
const flat = (color: string) => sharp({ create: { width: 20, height: 10, channels: 3, background: color } }).png()

const animation = async (format: 'gif' | 'webp'): Promise<Buffer> => {
  const frames = await Promise.all(['#ff0000', '#00ff00', '#0000ff'].map((color) => flat(color).toBuffer()))
  const files = frames.map((bytes) => {
    made += 1
    const file = join(scratch, `${made}.png`)
    writeFileSync(file, bytes)
    return file
  })
  return sharp(files, { join: { animated: true } })
    .toFormat(format)
    .toBuffer()
}

const IMAGES: readonly [name: string, type: ImageType, make: () => Promise<Buffer>][] = [
  [
    'a photo',
    'image/jpeg',
    () =>
      noise()
        .withExif({ IFD0: { Make: 'SecretCam' } })
        .jpeg({ progressive: true })
        .toBuffer(),
  ],
  ['a gray photo', 'image/jpeg', () => noise().grayscale().jpeg().toBuffer()],
  ['a photo for print', 'image/jpeg', () => noise().toColourspace('cmyk').jpeg().toBuffer()],
  ['a large photo', 'image/jpeg', () => noise(5000, 300).jpeg().toBuffer()],
  ['a transparent PNG', 'image/png', () => clear().png().toBuffer()],
  ['a PNG with a palette', 'image/png', () => noise().png({ palette: true }).toBuffer()],
  ['a PNG with a color profile', 'image/png', () => noise().withIccProfile('p3').withMetadata({ density: 300 }).png().toBuffer()],
  ['a GIF', 'image/gif', () => noise().gif().toBuffer()],
  ['an animated GIF', 'image/gif', () => animation('gif')],
  ['a WebP', 'image/webp', () => noise().webp().toBuffer()],
  ['a lossless WebP', 'image/webp', () => noise().webp({ lossless: true }).toBuffer()],
  ['a transparent WebP', 'image/webp', () => clear().webp().toBuffer()],
  ['an animated WebP', 'image/webp', () => animation('webp')],
]

describe.each(IMAGES)('%s', (_, type, make) => {
  test('is clean once it was converted, and is not if anything is added', async () => {
    const { bytes, size } = await convert(await make(), type)
    expect(isCleanImage(bytes, type, size)).toBe(true)
    const added = Buffer.from('<script>alert("polyglot")</script>')
    for (const changed of [Buffer.concat([bytes, added]), Buffer.concat([bytes, bytes]), bytes.subarray(0, -1), bytes.subarray(1)])
      expect(isCleanImage(changed, type, size)).toBe(false)
    expect(isCleanImage(bytes, type, { width: size.width - 1, height: size.height })).toBe(false)
    for (const other of ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const)
      if (other !== type) expect(isCleanImage(bytes, other, size)).toBe(false)
  })
})

const spliced = (bytes: Buffer, at: number, part: Buffer) => Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)])
const pngChunk = (name: string, data: Buffer) => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, data, Buffer.alloc(4)])
}
const jpegPart = (marker: number, data: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}
const SECRET = Buffer.from('SecretCam 52.5200 N')

test.each<[string, ImageType, (bytes: Buffer) => Buffer]>([
  ['a JPEG with Exif', 'image/jpeg', (bytes) => spliced(bytes, 2, jpegPart(0xe1, SECRET))],
  ['a JPEG with a comment', 'image/jpeg', (bytes) => spliced(bytes, 2, jpegPart(0xfe, SECRET))],
  ['a JPEG with data before its end', 'image/jpeg', (bytes) => spliced(bytes, bytes.length - 2, jpegPart(0xdb, SECRET))],
  ['a PNG with a text', 'image/png', (bytes) => spliced(bytes, 33, pngChunk('tEXt', SECRET))],
  ['a PNG with Exif', 'image/png', (bytes) => spliced(bytes, 33, pngChunk('eXIf', SECRET))],
  ['a PNG with an unknown chunk', 'image/png', (bytes) => spliced(bytes, 33, pngChunk('juNk', SECRET))],
  [
    'a GIF with a comment',
    'image/gif',
    (bytes) => spliced(bytes, bytes.length - 1, Buffer.concat([Buffer.from([0x21, 0xfe, SECRET.length]), SECRET, Buffer.from([0])])),
  ],
  [
    'a GIF with another application',
    'image/gif',
    (bytes) => spliced(bytes, bytes.length - 1, Buffer.from('!\xff\x0bXMP DataXMP\x03abc\0', 'latin1')),
  ],
  ['a GIF with a text', 'image/gif', (bytes) => spliced(bytes, bytes.length - 1, Buffer.from('!\x01\x03abc\0', 'latin1'))],
])('%s is not clean', async (_, type, change) => {
  const { bytes, size } = await convert(
    await noise()
      .toFormat(type.slice(6) as 'jpeg')
      .toBuffer(),
    type,
  )
  expect(isCleanImage(change(bytes), type, size)).toBe(false)
})

test('a WebP with metadata, even within a frame, is not clean', async () => {
  const { bytes, size } = await convert(await animation('webp'), 'image/webp')
  const chunk = Buffer.concat([Buffer.from('EXIF\x04\0\0\0', 'latin1'), Buffer.from('abcd')])
  const frame = bytes.indexOf('ANMF')
  for (const at of [bytes.length, frame, frame + 8 + 16]) {
    const changed = spliced(bytes, at, chunk)
    changed.writeUInt32LE(changed.length - 8, 4)
    if (at === frame + 24) changed.writeUInt32LE(bytes.readUInt32LE(frame + 4) + chunk.length, frame + 4)
    expect(isCleanImage(changed, 'image/webp', size)).toBe(false)
  }
})

test('uploads of cameras are not clean', async () => {
  for (const [, type, make] of IMAGES.slice(0, 1)) expect(isCleanImage(await make(), type, { width: 60, height: 40 })).toBe(false)
})

test('random changes never break the check', async () => {
  const images = await Promise.all(IMAGES.slice(4).map(async ([, type, make]) => ({ type, ...(await convert(await make(), type)) })))
  fc.assert(
    fc.property(fc.constantFrom(...images), fc.nat(), fc.uint8Array({ maxLength: 8 }), ({ type, bytes, size }, at, change) => {
      const place = at % bytes.length
      const changed = Buffer.concat([bytes.subarray(0, place), change, bytes.subarray(place + change.length)])
      expect(typeof isCleanImage(changed, type, size)).toBe('boolean')
    }),
    { numRuns: 3000 },
  )
})
