import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { bomb, picture } from '#test/media.ts'
import { BadImage, convertImage, type ImageType } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'images-'))
let made = 0

/** Writes the bytes to a file, because images are read only from files. */
const file = (bytes: Buffer): string => {
  made += 1
  const path = join(folder, `${made}.bytes`)
  writeFileSync(path, bytes)
  return path
}
const look = (bytes: Buffer) => sharp(file(bytes)).metadata()

const make = async (bytes: Buffer, type: ImageType) => {
  made += 1
  const [from, whole, small] = ['in', 'whole', 'small'].map((name) => join(folder, `${made}.${name}`)) as [string, string, string]
  writeFileSync(from, bytes)
  const size = await convertImage(1, from, type, whole, small)
  return { ...size, whole: readFileSync(whole), small: readFileSync(small) }
}

const withExif = (orientation: number) =>
  sharp({ create: { width: 60, height: 20, channels: 3, background: '#ff0000' } })
    .jpeg()
    .withExif({ IFD0: { Make: 'SecretCam' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1' } })
    .withMetadata({ orientation })
    .toBuffer()

test.each([
  ['image/jpeg', 'jpeg'],
  ['image/png', 'png'],
  ['image/webp', 'webp'],
  ['image/gif', 'gif'],
] as const)('%s keeps its format', async (type, format) => {
  const { width, height, whole, small } = await make(await picture(format, 500, 300), type)
  expect([width, height]).toEqual([500, 300])
  expect((await look(whole)).format).toBe(format)
  const thumbnail = await look(small)
  expect([thumbnail.format, thumbnail.width, thumbnail.height]).toEqual(['webp', 400, 240])
})

test('camera metadata is removed, especially the location', async () => {
  const before = await sharp({ create: { width: 60, height: 20, channels: 3, background: '#ff0000' } })
    .jpeg()
    .withExif({ IFD0: { Make: 'SecretCam', Copyright: 'somebody' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1' } })
    .toBuffer()
  expect(before.includes('SecretCam')).toBe(true)
  expect((await look(before)).exif).toBeDefined()
  const { whole, small } = await make(before, 'image/jpeg')
  for (const bytes of [whole, small]) {
    const { exif, xmp, iptc, icc } = await look(bytes)
    expect([exif, xmp, iptc, icc]).toEqual([undefined, undefined, undefined, undefined])
    expect(bytes.includes('SecretCam')).toBe(false)
    expect(bytes.includes('Exif')).toBe(false)
  }
})

test('a rotated picture is turned upright', async () => {
  const bytes = await withExif(6)
  const { width, height, whole } = await make(bytes, 'image/jpeg')
  expect([width, height]).toEqual([20, 60])
  expect((await look(whole)).orientation).toBeUndefined()
})

test('a picture is made no larger than 4096 pixels', async () => {
  const { width, height } = await make(await picture('png', 6000, 300), 'image/png')
  expect([width, height]).toEqual([4096, 205])
})

test('animations stay animated', async () => {
  const frames = await Promise.all(
    ['#ff0000', '#00ff00', '#0000ff'].map((background) =>
      sharp({ create: { width: 20, height: 10, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  for (const [type, format] of [
    ['image/gif', 'gif'],
    ['image/webp', 'webp'],
  ] as const) {
    const bytes = await sharp(frames.map(file), { join: { animated: true } })
      .toFormat(format)
      .toBuffer()
    expect((await look(bytes)).pages).toBe(3)
    const { width, height, whole } = await make(bytes, type)
    expect([width, height, (await look(whole)).pages]).toEqual([20, 10, 3])
  }
})

test('transparency stays', async () => {
  const bytes = await sharp({ create: { width: 5, height: 5, channels: 4, background: { r: 1, g: 2, b: 3, alpha: 0.5 } } })
    .png()
    .toBuffer()
  expect((await look((await make(bytes, 'image/png')).whole)).hasAlpha).toBe(true)
})

const refusedAs = async (bytes: Buffer, type: ImageType) => expect(make(bytes, type)).rejects.toBeInstanceOf(BadImage)

test('images with too many pixels are refused before they are decoded', async () => {
  for (const [width, height, rows] of [
    [30_000, 30_000, 10],
    [7000, 7000, 7000],
    [1, 50_000_000, 0],
    [0, 0, 0],
  ] as const) {
    const started = performance.now()
    const before = process.memoryUsage().rss
    await refusedAs(bomb(width, height, rows), 'image/png')
    expect(performance.now() - started).toBeLessThan(1000)
    expect(process.memoryUsage().rss - before).toBeLessThan(200e6)
  }
})

test('too many frames are refused', async () => {
  const frame = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#000' } })
    .png()
    .toBuffer()
  const other = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  const frames = Array.from({ length: 400 }, (_, i) => (i % 2 ? frame : other))
  await refusedAs(
    await sharp(frames.map(file), { join: { animated: true } })
      .gif()
      .toBuffer(),
    'image/gif',
  )
})

test('truncated, empty and other files are refused', async () => {
  const whole = await sharp({
    create: { width: 300, height: 300, channels: 3, background: '#123456', noise: { type: 'gaussian', mean: 100, sigma: 60 } },
  })
    .png()
    .toBuffer()
  await refusedAs(whole.subarray(0, whole.length >> 1), 'image/png')
  await refusedAs(Buffer.alloc(0), 'image/png')
  await refusedAs(whole, 'image/jpeg')
  await refusedAs(
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>'),
    'image/png',
  )
  await refusedAs(
    Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
    'image/webp',
  )
  await refusedAs(Buffer.from('GIF89a<script>alert(1)</script>'), 'image/gif')
})

test('data after a picture is removed', async () => {
  for (const [format, type] of [
    ['jpeg', 'image/jpeg'],
    ['png', 'image/png'],
    ['gif', 'image/gif'],
  ] as const) {
    const { whole } = await make(Buffer.concat([await picture(format), Buffer.from('<script>alert("polyglot")</script>PK\x03\x04')]), type)
    expect(whole.includes('polyglot')).toBe(false)
  }
})

test('other formats are not decoded', async () => {
  await expect(look(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'))).rejects.toThrow()
  const tiff = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#000' } })
    .tiff()
    .toBuffer()
  await expect(look(tiff)).rejects.toThrow()
})
