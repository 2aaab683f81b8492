import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { pictureUrl, preloadOf, withPictures } from './pictures.ts'

beforeAll(() => {
  vi.stubGlobal('location', { origin: 'https://community.example' })
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const through = (address: string) => `/media/remote?url=${encodeURIComponent(address)}`

test.each(['', '/icon.svg', 'blob:x', 'data:image/png;base64,AA', 'https://community.example/media/0123/a.png'])(
  '%s is shown unchanged',
  (address) => {
    expect(pictureUrl(address)).toBe(address)
  },
)

test.each([
  'https://other.example/a.png',
  'http://other.example/a.png?x=1&y=2',
  'HTTPS://OTHER.example/a',
  'https://community.example.evil.example/a',
])('%s is fetched by the server', (address) => {
  expect(pictureUrl(address)).toBe(through(address))
  expect(withPictures(`<p>A <img alt="x" src="${address.replaceAll('&', '&amp;')}" width="3"></p>`)).toBe(
    `<p>A <img alt="x" src="${through(address)}" width="3"></p>`,
  )
  expect(preloadOf(address)).toBe('none')
})

test('a video of another host is not loaded before it is played, however its URL is written', () => {
  for (const address of ['//other.example/a.mp4', '/\\other.example/a.mp4']) expect(preloadOf(address)).toBe('none')
  for (const address of ['/media/0123/a.mp4', 'https://community.example/media/0123/a.mp4']) expect(preloadOf(address)).toBe('metadata')
})

test('links, text and own pictures of a text are unchanged', () => {
  const html =
    '<p><a href="https://other.example/a.png">x</a> src="https://other.example/b" <img src="https://community.example/media/1/a.png" alt=""></p>'
  expect(withPictures(html)).toBe(html.replace('<img', '<img loading="lazy"'))
})

test('every picture of a text is fetched by the server', () => {
  const html = '<img src="https://a.example/1" alt=""><img src="https://b.example/2" alt="">'
  expect(withPictures(html)).not.toMatch(/src="https:/)
})
