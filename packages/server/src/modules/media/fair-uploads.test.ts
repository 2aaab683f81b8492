import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { picture, upload } from '#test/media.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let busy: Member
let other: Member
beforeAll(async () => {
  world = await createWorld()
  busy = await world.member()
  other = await world.member()
})
afterAll(() => world.close())

const large = () =>
  sharp({ create: { width: 1500, height: 1500, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 128, sigma: 30 } } })
    .jpeg()
    .toBuffer()

test('many large uploads of one member do not delay a small one of another', async () => {
  const ended: string[] = []
  const bytes = await large()
  const six = Array.from({ length: 6 }, () => upload(busy, bytes, 'large.jpg').then(() => ended.push('large')))
  await Promise.race(six)
  await upload(other, await picture())
  ended.push('small')
  await Promise.all(six)
  // One of them may have finished while the small upload was in progress.
  expect(ended.indexOf('small')).toBeLessThanOrEqual(2)
})
