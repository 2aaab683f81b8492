import { expect, test } from 'vitest'
import { gifOf, previewOf } from './attachments.ts'
import { filesInText } from './linked-files.ts'
import { attachedProblem, pictureAmong, timeInName } from './media.ts'

test('the newest full picture is used', () => {
  const names = ['1552892460-bpthumb.jpg', '1552892460-bpfull.jpg', '61dbda246fba5-bpfull.jpg', 'index.html', '1700000000-bpthumb.jpg']
  expect(pictureAmong('avatar', names)).toBe('61dbda246fba5-bpfull.jpg')
  expect(pictureAmong('avatar', ['x-bpthumb.png', 'y.txt'])).toBe('x-bpthumb.png')
  expect(pictureAmong('avatar', ['photo.png'])).toBe(null)
  expect(pictureAmong('cover', ['photo.png', '5c8f500085d52-bp-cover-image.webp'])).toBe('5c8f500085d52-bp-cover-image.webp')
  expect(pictureAmong('cover', ['photo.svg'])).toBe(null)
})

test('names of pictures tell when they were uploaded', () => {
  expect(timeInName('1552892460-bpfull.jpg')).toBe('2019-03-18 07:01:00')
  expect(timeInName('61dbda246fba5-bpfull.jpg')).toBe('2022-01-10 07:03:00')
  expect(timeInName('0000000001-bpfull.jpg')).toBe(null)
  expect(timeInName('avatar.jpg')).toBe(null)
})

test('a file is not shown to more people than before', () => {
  const problem = (privacy: string | null, target_privacy: string | null) => attachedProblem({ path: 'a.png', privacy, target_privacy })
  expect(problem('public', 'public')).toBe(null)
  expect(problem('grouponly', 'public')).toBe(null)
  expect(problem('friends', 'friends')).toBe(null)
  expect(problem('friends', 'onlyme')).toBe(null)
  expect(problem('onlyme', 'friends')).toMatch(/stricter than that of its post/)
  expect(problem('friends', 'public')).toMatch(/stricter than that of its post/)
  expect(attachedProblem({ path: null, privacy: 'public', target_privacy: 'public' })).toMatch(/not among the attachments/)
})

test('uploaded files in texts', () => {
  const text = `<img src="https://x.example/wp-content/uploads/2024/05/K%C3%A4se.png?x=1"> see /wp-content/uploads/a.pdf. <a href='/wp-content/uploads/a.pdf'>`
  expect(filesInText(text)).toEqual(['2024/05/Käse.png', 'a.pdf'])
  expect(filesInText('/wp-content/uploads/%zz.png')).toEqual(['%zz.png'])
})

test('a GIF is its best size, with the proportions of any', () => {
  const size = (url: string, rest = '') => `a:${rest ? 3 : 1}:{s:3:"url";s:${url.length}:"${url}";${rest}}`
  const raw = (images: string, count: number) => `a:2:{s:5:"title";s:5:"waves";s:6:"images";a:${count}:{${images}}}`
  const sides = 's:5:"width";s:3:"480";s:6:"height";s:3:"270";'
  const both = raw(`s:16:"downsized_medium";${size('https://g.example/m.gif', sides)}s:8:"original";${size('https://g.example/o.gif')}`, 2)
  expect(gifOf(both)).toEqual({ url: 'https://g.example/o.gif', title: 'waves', width: 480, height: 270 })
  expect(gifOf(raw(`s:8:"original";${size('javascript:alert(1)')}`, 1))).toBe(null)
  expect(gifOf('a:2:{s:5:"tit')).toBe(null)
  expect(gifOf('')).toBe(null)
  expect(gifOf(null)).toBe(null)
})

test('a link preview without markup; its picture may be an attachment', () => {
  const data =
    'a:4:{s:3:"url";s:17:"https://p.example";s:5:"title";s:10:"A &amp; <b";s:11:"description";s:9:"<i>x</i>\n";s:13:"attachment_id";i:7;}'
  expect(previewOf(data)).toEqual({ preview: { url: 'https://p.example', title: 'A &', description: 'x' }, attachment: 7 })
  const remote = 'a:2:{s:3:"url";s:17:"https://p.example";s:9:"image_url";s:23:"https://p.example/a.png";}'
  expect(previewOf(remote)).toEqual({ preview: { url: 'https://p.example', image: 'https://p.example/a.png' }, attachment: null })
  expect(previewOf('a:1:{s:5:"title";s:1:"x";}')).toBe(null)
  expect(previewOf('broken')).toBe(null)
})
