import type { Route } from '@lyceum/contract'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../core/errors.ts'
import { bodyFields } from './body-fields.ts'

const nullable = (type: string) => Type.Unsafe<unknown>({ type: [type, 'null'] })
const flag = Type.Unsafe<unknown>({ type: ['boolean', 'integer'], enum: [true, false, 0, 1] })

const plant: Route = {
  method: 'POST',
  path: '/trees',
  access: 'member',
  summary: 'Plant a tree',
  wrapper: 'tree',
  body: Type.Object({
    name: Type.String(),
    text: Type.Optional(Type.String()),
    kind: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['oak', 'yew'] })),
    day: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
    height: Type.Optional(Type.Integer()),
    width: Type.Optional(Type.Number()),
    parent_id: Type.Optional(nullable('integer')),
    note: Type.Optional(nullable('string')),
    tall: Type.Optional(flag),
    green: Type.Optional(Type.Boolean()),
    leaves: Type.Optional(Type.Array(Type.Object({ id: Type.Integer(), colour: Type.Optional(Type.Boolean()) }))),
    meta: Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
    soil: Type.Optional(Type.Object({ depth: Type.Optional(Type.Integer()), acid: Type.Optional(Type.Boolean()) })),
    keys: Type.Optional(Type.Unsafe<string[]>({ type: 'array', 'x-explicit': true })),
  }),
  response: Type.Object({}),
}
const read = (sent: Record<string, unknown>, of: Route = plant) => bodyFields(of)(structuredClone(sent)).fields

describe('a value that is equivalent to the declared type', () => {
  test.each([
    [
      { height: '7', width: '1.5', parent_id: '7' },
      { height: 7, width: 1.5, parent_id: 7 },
    ],
    [{ height: '-7' }, { height: -7 }],
    [
      { tall: '1', green: '1' },
      { tall: 1, green: true },
    ],
    [
      { tall: 'false', green: 'false' },
      { tall: false, green: false },
    ],
    [
      { tall: 0, green: 0 },
      { tall: 0, green: false },
    ],
    [{ leaves: [{ id: '7', colour: null }] }, { leaves: [{ id: 7 }] }],
    [{ soil: { depth: '3', acid: null } }, { soil: { depth: 3 } }],
  ])('%j is converted', (sent, understood) => {
    expect(read(sent)).toEqual(understood)
  })

  test.each([
    { height: '1.5' },
    { height: '07' },
    { height: '0x7' },
    { height: ' 7' },
    { height: '1e3' },
    { height: '99999999999999999' },
    { height: true },
    { width: '1,5' },
    { width: 'Infinity' },
    { green: 'yes' },
    { green: 2 },
    { tall: 'TRUE' },
    { name: 7 },
    { text: 7 },
    { text: true },
    { kind: 1 },
    { parent_id: [7] },
    { meta: { height: '7', none: null, empty: '', list: [] } },
  ])('%j is unchanged', (sent) => {
    expect(read(sent)).toEqual(sent)
  })
})

describe('values equivalent to an omitted optional field', () => {
  test.each([
    { text: null },
    { kind: null },
    { kind: '' },
    { day: '' },
    { height: null },
    { height: '' },
    { parent_id: '' },
    { tall: '' },
    { leaves: null },
    { leaves: '' },
    { meta: null },
    { meta: '' },
    { meta: [] },
    { soil: [] },
  ])('%j', (sent) => {
    expect(read(sent)).toEqual({})
  })

  test.each([
    { name: null },
    { name: '' },
    { text: '' },
    { note: '' },
    { note: null },
    { parent_id: null },
    { leaves: [] },
    { keys: null },
    { keys: '' },
    { meta: [1] },
  ])('%j does not', (sent) => {
    expect(read(sent)).toEqual(sent)
  })
})

const errorsOf = (sent: Record<string, unknown>, of?: Route) => {
  try {
    return read(sent, of)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [error.status, error.code, Object.keys(error.data['errors'] as object)]
  }
}

describe('a body without any known field', () => {
  test('is refused with the names of its fields, however deep', () => {
    expect(errorsOf({ nonsense: 1, more: null })).toEqual([400, 'invalid_data', ['nonsense', 'more']])
    expect(errorsOf({ soil: { nonsense: 1 } })).toEqual([400, 'invalid_data', ['soil.nonsense']])
    expect(errorsOf({ soil: { nonsense: 1 }, toString: 1 })).toEqual([400, 'invalid_data', ['soil.nonsense', 'toString']])
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`n${i}`, i]))
    expect((errorsOf(many) as unknown[])[2]).toHaveLength(20)
  })
  test('is not one that also has a known field, or is empty', () => {
    expect(errorsOf({})).toEqual({})
    expect(errorsOf({ text: null, nonsense: 1 })).toEqual({ nonsense: 1 })
    expect(errorsOf({ text: 'x', soil: { nonsense: 1 } })).toEqual({ text: 'x', soil: { nonsense: 1 } })
    expect(errorsOf({ soil: {} })).toEqual({ soil: {} })
  })
  test('is accepted in a form, and where fields are arbitrary', () => {
    expect(errorsOf({ nonsense: 1 }, { ...plant, consumes: 'multipart' })).toEqual({ nonsense: 1 })
    expect(errorsOf({ nonsense: 1 }, { ...plant, body: Type.Object({}, { additionalProperties: true }) })).toEqual({ nonsense: 1 })
  })
})

test('a wrapper is removed', () => {
  expect(errorsOf({ tree: { text: 'x' }, kind: 'oak' })).toEqual({ text: 'x', kind: 'oak' })
  expect(errorsOf({ tree: [] })).toEqual({})
  expect(errorsOf({ tree: { text: 'x' }, text: 'y' })).toEqual([400, 'invalid_data', ['text']])
  expect(errorsOf({ tree: 'x' })).toEqual([400, 'invalid_data', ['tree']])
  expect(errorsOf({ tree: { tree: { text: 'x' } } })).toEqual([400, 'invalid_data', ['tree']])
})
