import type { Db } from '../../db/index.ts'
import { lessonOrder, placeLessons, putAt, sectionsIn } from './queries.ts'

const orderOf = async (db: Db, courseId: number, lessonId: number) => {
  const places = await lessonOrder(db, [courseId])
  return { others: places.filter(({ id }) => id !== lessonId), sections: await sectionsIn(db, [courseId]) }
}

const insertAt = async (db: Db, ids: readonly number[], at: number, lessonId: number): Promise<number> => {
  await placeLessons(db, [...ids.slice(0, at), lessonId, ...ids.slice(at)])
  return at + 1
}

/**
 * Places a lesson at the end of its section, or where the section would begin if it is empty; returns its position. The caller must hold
 * the course's lock.
 */
export const placeInSection = async (db: Db, courseId: number, lessonId: number, sectionId: number): Promise<number> => {
  const { others, sections } = await orderOf(db, courseId, lessonId)
  const before = new Set(sections.slice(0, sections.indexOf(sectionId) + 1))
  const last = others.findLastIndex(({ section_id }) => section_id === sectionId)
  const at = last >= 0 ? last : others.findLastIndex(({ section_id }) => before.has(section_id))
  const ids = others.map(({ id }) => id)
  return insertAt(db, ids, at + 1, lessonId)
}

/** Places a lesson directly after another; returns its position. */
export const placeAfter = async (db: Db, courseId: number, lessonId: number, originalId: number): Promise<number> => {
  const { others } = await orderOf(db, courseId, lessonId)
  const ids = others.map(({ id }) => id)
  return insertAt(db, ids, ids.indexOf(originalId) + 1, lessonId)
}

/**
 * Places a lesson at a position counted from 1. Beyond the last lesson, the position is kept as given, leaving a gap until the next
 * reordering.
 */
export const placeAt = async (db: Db, courseId: number, lessonId: number, place: number): Promise<void> => {
  const { others } = await orderOf(db, courseId, lessonId)
  const ids = others.map(({ id }) => id)
  if (place <= ids.length) return void (await insertAt(db, ids, place - 1, lessonId))
  await placeLessons(db, ids)
  await putAt(db, [lessonId, place])
}

/** Renumbers the lessons 1, 2, 3…; returns how many there are. */
export const closeGaps = async (db: Db, courseId: number): Promise<number> => {
  const places = await lessonOrder(db, [courseId])
  await placeLessons(
    db,
    places.map(({ id }) => id),
  )
  return places.length
}

/** The order after moving some ids to positions counted from 1. At the same position, a moved id precedes one that stays. */
export const reordered = (ids: readonly number[], indexes: Readonly<Record<string, number>>): number[] => {
  const wanted = ids.map((id, i) => ({ id, named: Object.hasOwn(indexes, id), place: indexes[id] ?? i + 1 }))
  return wanted.toSorted((a, b) => a.place - b.place || Number(b.named) - Number(a.named)).map(({ id }) => id)
}
