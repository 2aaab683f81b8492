import { describe, expect, test } from 'vitest'
import { csvField, wantsCsv } from './csv.ts'

describe('fields', () => {
  test.each([
    ['plain', 'plain'],
    ['', ''],
    [null, ''],
    [undefined, ''],
    [0, '0'],
    [-12.5, '-12.5'],
    [true, 'true'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+49', "'+49"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['＝1', "'＝1"],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ['a=1', 'a=1'],
  ])('%j', (value, field) => {
    expect(csvField(value)).toBe(field)
  })
})

test('content negotiation of CSV', () => {
  expect(wantsCsv({}, undefined)).toBe(false)
  expect(wantsCsv({}, '*/*')).toBe(false)
  expect(wantsCsv({}, 'text/csv')).toBe(true)
  expect(wantsCsv({}, 'text/csv, */*;q=0.1')).toBe(true)
  expect(wantsCsv({}, 'Text/CSV; q=0.9, application/json; q=0.5')).toBe(true)
  expect(wantsCsv({}, 'text/csv;q=0.2, application/json')).toBe(false)
  expect(wantsCsv({}, 'text/csv;q=0')).toBe(false)
  expect(wantsCsv({}, 'text/csv;q=nonsense')).toBe(false)
  expect(wantsCsv({}, 'text/*')).toBe(false)
  expect(wantsCsv({}, 'text/csvx, x-text/csv')).toBe(false)
  expect(wantsCsv({}, 'text/csv;q=0.5, */*')).toBe(false)
  expect(wantsCsv({}, 'text/csv;q=0.5, application/*;q=0.8')).toBe(false)
  expect(wantsCsv({}, 'text/csv;q=0.5, application/json;q=0.1, */*')).toBe(true)
  expect(wantsCsv({}, 'text/html, text/csv;header=present')).toBe(true)
  expect(wantsCsv({ format: 'json' }, 'text/csv')).toBe(false)
  expect(wantsCsv({ format: 'csv' }, 'application/json')).toBe(true)
})
