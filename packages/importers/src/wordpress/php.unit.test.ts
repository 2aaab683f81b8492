import { expect, test } from 'vitest'
import { plain, readMeta } from './meta.ts'
import { unserialize } from './php.ts'

const read = (text: string) => {
  const read = unserialize(text)
  return 'broken' in read ? `broken: ${read.broken}` : plain(read.value)
}

test('values of all types', () => {
  expect(read('a:8:{i:0;s:5:"Käse";i:1;i:-3;i:2;d:1.5;i:3;b:1;i:4;b:0;i:5;N;i:6;a:0:{}i:7;s:0:"";}')).toEqual([
    'Käse',
    -3,
    1.5,
    true,
    false,
    null,
    [],
    '',
  ])
  expect(read('a:2:{s:1:"b";i:1;s:1:"a";a:1:{i:7;s:3:"x";y";}}')).toEqual({ b: 1, a: { 7: 'x";y' } })
  expect(read('s:4:"😀";')).toBe('😀')
  expect(read('d:INF;')).toBe(Number.MAX_VALUE)
})

test('an object is nothing but its fields, and references are nothing', () => {
  expect(read('O:8:"stdClass":2:{s:1:"a";i:1;s:4:"\0*\0b";R:2;}')).toEqual({ a: 1, b: null })
  expect(read('C:3:"Foo":5:{abcde}')).toMatch(/^broken/)
})

test('strings with a wrong length end at their quote', () => {
  expect(read('a:2:{s:3:"url";s:30:"https://new.example/";s:1:"x";s:99:"a "quoted" word";}')).toEqual({
    url: 'https://new.example/',
    x: 'a "quoted" word',
  })
  expect(read('a:1:{s:1:"x";s:2:"Ã¤Ã¶";}')).toEqual({ x: 'Ã¤Ã¶' })
})

test('an array with fewer elements than it declares', () => {
  expect(read('a:3:{s:1:"a";i:1;}')).toEqual({ a: 1 })
})

test.each([
  '',
  'a',
  'a:',
  'a:1:{',
  'a:1:{s:1:"a";',
  'a:1:{s:3:"abc";s:10:"cut o',
  's:5:"abc',
  'i:;',
  'i:x;',
  'a:1:{a:0:{}i:1;}',
  'a:-1:{}',
  'Z:1;',
  'b:1',
])('not a value: %s', (text) => {
  expect(read(text)).toMatch(/^broken/)
})

test('a million levels, a billion elements and numbers without end are refused', () => {
  expect(read('a:1:{i:0;'.repeat(1e6))).toMatch(/nested/)
  expect(read('a:999999999:{i:0;i:1;}')).toMatch(/too many/)
  expect(read(`i:${'9'.repeat(1e6)};`)).toMatch(/^broken/)
  expect(read('a:1:{i:0;O:1:"A":1:{s:1:"a";'.repeat(1e5))).toMatch(/nested/)
})

test('structured data in columns', () => {
  expect(readMeta(null)).toEqual({ value: null, problem: null })
  expect(readMeta('')).toEqual({ value: null, problem: null })
  expect(plain(readMeta('{"a":["b",{"c":null}]}').value)).toEqual({ a: ['b', { c: null }] })
  expect(plain(readMeta('s:14:"a:1:{i:0;i:5;}";').value)).toEqual([5])
  expect(readMeta('just text')).toEqual({ value: 'just text', problem: null })
  expect(readMeta('a:2:{s:1:"a";s:9:"cut').problem).toMatch(/truncated/)
  expect(readMeta('{"a":').problem).toMatch(/neither/)
  expect(readMeta('['.repeat(1e6)).problem).toMatch(/nested/)
})
