import { isFields, numericTexts } from '../values.ts'
import type { Change } from './reader.ts'

export const space: Change = (record) => ({ ...record, ...numericTexts(record, 'created_by', 'parent_id', 'serial') })

export const membership: Change = (record) => ({
  meta: {},
  ...record,
  ...numericTexts(record, 'space_id', 'user_id'),
  created_at: record['joined_at'],
})

export const activity: Change = (record) => {
  const { route } = record
  if (!isFields(route) || !isFields(route['query'])) return record
  return { ...record, route: { ...route, query: { ...route['query'], ...numericTexts(route['query'], 'comment_id') } } }
}
