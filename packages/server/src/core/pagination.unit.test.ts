import { expect, test } from 'vitest'
import { FAR, fromNearerEnd, pageOf, pagination, paginator } from './pagination.ts'

const URL_OF_LIST = 'https://c.example/api/v2/spaces/discover'
const labels = (page: number, total: number) =>
  paginator(URL_OF_LIST, { page, per_page: 1 }, ['row'], total)
    .links.map((link) => (link.active ? `[${link.label}]` : link.label))
    .join(' ')

test('a page becomes limit and offset', () => {
  expect(pageOf({ page: 3, per_page: 20 })).toEqual({ limit: 20, offset: 40 })
  expect(pageOf({ page: Number.MAX_SAFE_INTEGER, per_page: 100 }).offset).toBe(Number.MAX_SAFE_INTEGER)
})

test('a far page is read from the nearer end', () => {
  const total = 4 * FAR
  expect(fromNearerEnd({ limit: 20, offset: 100 }, 101)).toEqual({ limit: 20, offset: 100, reversed: false })
  expect(fromNearerEnd({ limit: 20, offset: FAR }, total)).toEqual({ limit: 20, offset: FAR, reversed: false })
  expect(fromNearerEnd({ limit: 20, offset: total - 50 }, total)).toEqual({ limit: 20, offset: 30, reversed: true })
  expect(fromNearerEnd({ limit: 20, offset: total - 5 }, total)).toEqual({ limit: 5, offset: 0, reversed: true })
  expect(fromNearerEnd({ limit: 20, offset: total + 20 }, total)).toEqual({ limit: 0, offset: 0, reversed: true })
})

test('the short form counts pages', () => {
  expect(pagination(41, 2, 20)).toEqual({ total: 41, per_page: 20, current_page: 2, total_pages: 3 })
  expect(pagination(0, 1, 20).total_pages).toBe(0)
})

test('a page in the middle links to its neighbours and keeps the other parameters', () => {
  const page = paginator(URL_OF_LIST, { page: 2, per_page: 2, search: 'a & b', type: undefined }, ['c', 'd'], 5)
  const linkTo = (number: number) => `${URL_OF_LIST}?per_page=2&search=a+%26+b&page=${number}`
  expect(page).toMatchObject({
    current_page: 2,
    data: ['c', 'd'],
    first_page_url: linkTo(1),
    prev_page_url: linkTo(1),
    next_page_url: linkTo(3),
    last_page_url: linkTo(3),
    last_page: 3,
    from: 3,
    to: 4,
    total: 5,
    per_page: 2,
    path: URL_OF_LIST,
  })
  expect(page.links[2]).toEqual({ url: linkTo(2), label: '2', active: true })
})

test('an empty list has one empty page', () => {
  const page = paginator(URL_OF_LIST, { page: 1, per_page: 20 }, [], 0)
  expect(page).toMatchObject({ from: null, to: null, last_page: 1, next_page_url: null, prev_page_url: null, total: 0 })
})

test('a page past the end leads back to the last one', () => {
  const page = paginator(URL_OF_LIST, { page: 9, per_page: 10 }, [], 12)
  expect(page).toMatchObject({
    current_page: 9,
    from: null,
    to: null,
    next_page_url: null,
    prev_page_url: `${URL_OF_LIST}?per_page=10&page=2`,
  })
})

test('of many pages, those around the current one are linked', () => {
  expect(labels(1, 1)).toBe('Previous [1] Next')
  expect(labels(1, 20)).toBe('Previous [1] 2 3 4 … 20 Next')
  expect(labels(10, 20)).toBe('Previous 1 … 7 8 9 [10] 11 12 13 … 20 Next')
  expect(labels(20, 20)).toBe('Previous 1 … 17 18 19 [20] Next')
})
