import type { Db } from '../../db/index.ts'
import { lessonOrder, placeLessons, putAt, sectionsIn } from './queries.ts'

type Place = Awaited<ReturnType<typeof lessonOrder>>[number]

/** Places a lesson at an index among the other lessons of the course; returns its position. The caller must hold the course's lock. */
const placeAmong = async (db: Db, courseId: number, lessonId: number, indexIn: (others: readonly Place[]) => number): Promise<number> => {
  const others = (await lessonOrder(db, [courseId])).filter(({ id }) => id !== lessonId)
  const at = indexIn(others)
  const ids = others.map(({ id }) => id)
  await placeLessons(db, ids.toSpliced(at, 0, lessonId))
  return at + 1
}

/** Places a lesson at the end of its section, or where the section would begin if it is empty; returns its position. */
export const placeInSection = async (db: Db, courseId: number, lessonId: number, sectionId: number): Promise<number> => {
  const sections = await sectionsIn(db, [courseId])
  const before = new Set(sections.slice(0, sections.indexOf(sectionId) + 1))
  return placeAmong(db, courseId, lessonId, (others) => {
    const last = others.findLastIndex(({ section_id }) => section_id === sectionId)
    return 1 + (last >= 0 ? last : others.findLastIndex(({ section_id }) => before.has(section_id)))
  })
}

/** Places a lesson directly after another; returns its position. */
export const placeAfter = (db: Db, courseId: number, lessonId: number, originalId: number): Promise<number> =>
  placeAmong(db, courseId, lessonId, (others) => others.findIndex(({ id }) => id === originalId) + 1)

/**
 * Places a lesson at a position counted from 1. Beyond the last lesson, the position is kept as given, leaving a gap until the next
 * reordering.
 */
export const placeAt = async (db: Db, courseId: number, lessonId: number, place: number): Promise<void> => {
  await placeAmong(db, courseId, lessonId, () => place - 1)
  await putAt(db, [lessonId, place])
}

/** The order after moving some ids to positions counted from 1. At the same position, a moved id precedes one that stays. */
export const reordered = (ids: readonly number[], indexes: Readonly<Record<string, number>>): number[] => {
  const wanted = ids.map((id, i) => ({ id, named: Object.hasOwn(indexes, id), place: indexes[id] ?? i + 1 }))
  return wanted.toSorted((a, b) => a.place - b.place || Number(b.named) - Number(a.named)).map(({ id }) => id)
}
