import { expect, test } from 'vitest'
import { cpuTimeOf } from '#test/cpu-time.ts'
import { picture } from '#test/media.ts'
import { pictureTypeOf } from './picture-type.ts'

test.each(['png', 'jpeg', 'gif', 'webp'] as const)('a %s is recognized by its first bytes', async (format) => {
  expect(pictureTypeOf(await picture(format))).toBe(`image/${format}`)
})

test('an AVIF is, too; documents, archives and truncated files are not', () => {
  expect(pictureTypeOf(Buffer.from('\0\0\0\x20ftypavif\0\0\0\0'))).toBe('image/avif')
  for (const text of ['', 'GIF8', '<svg xmlns="x"/>', '\0\0\0\x20ftypisom', 'PK\x03\x04', 'RIFF1234WAVE', ' GIF89a'])
    expect([text, pictureTypeOf(Buffer.from(text, 'latin1'))]).toEqual([text, null])
})

test('a crafted archive of eight megabytes takes no time', () => {
  const entry = Buffer.concat([
    Buffer.from('504b030414000800080000000000000000000000000000000000130000005b43', 'hex'),
    Buffer.from('ontent'),
  ])
  const bytes = Buffer.concat([entry, Buffer.from('PK\x07'.repeat(2_800_000))])
  expect(cpuTimeOf(() => pictureTypeOf(bytes))).toBeLessThan(20)
  expect(pictureTypeOf(bytes)).toBeNull()
})
