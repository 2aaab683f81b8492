import type { Db } from '../../db/index.ts'
import { placeLessons, placesIn, sectionsIn } from './queries.ts'

const orderOf = async (db: Db, courseId: number, lessonId: number) => {
  const places = await placesIn(db, courseId)
  return { others: places.filter(({ id }) => id !== lessonId), sections: await sectionsIn(db, courseId) }
}

const insertAt = async (db: Db, ids: readonly number[], at: number, lessonId: number): Promise<number> => {
  await placeLessons(db, [...ids.slice(0, at), lessonId, ...ids.slice(at)])
  return at + 1
}

/** Puts a lesson of a course, which is held, behind the others of its section, or where its section would begin; its place. */
export const placeInSection = async (db: Db, courseId: number, lessonId: number, sectionId: number): Promise<number> => {
  const { others, sections } = await orderOf(db, courseId, lessonId)
  const before = new Set(sections.slice(0, sections.indexOf(sectionId) + 1))
  const last = others.findLastIndex(({ section_id }) => section_id === sectionId)
  const at = last >= 0 ? last : others.findLastIndex(({ section_id }) => before.has(section_id))
  const ids = others.map(({ id }) => id)
  return insertAt(db, ids, at + 1, lessonId)
}

/** Puts a lesson behind another one; its place. */
export const placeBehind = async (db: Db, courseId: number, lessonId: number, originalId: number): Promise<number> => {
  const { others } = await orderOf(db, courseId, lessonId)
  const ids = others.map(({ id }) => id)
  return insertAt(db, ids, ids.indexOf(originalId) + 1, lessonId)
}

/** Puts a lesson to a place from 1, or to the end where there is none so far back; its place. */
export const placeAt = async (db: Db, courseId: number, lessonId: number, place: number): Promise<number> => {
  const { others } = await orderOf(db, courseId, lessonId)
  const ids = others.map(({ id }) => id)
  return insertAt(db, ids, Math.min(place - 1, ids.length), lessonId)
}

/** Closes the gap that a deleted lesson has left. */
export const closeGaps = async (db: Db, courseId: number): Promise<void> =>
  placeLessons(
    db,
    (await placesIn(db, courseId)).map(({ id }) => id),
  )
