import type { Db } from '../../db/index.ts'
import { lessonOrder, saveOrder, sectionsIn, setPosition } from './queries.ts'

type Position = Awaited<ReturnType<typeof lessonOrder>>[number]

/** Moves a lesson to an index among the other lessons of the course; returns its position. The caller must hold the course's lock. */
const moveAmong = async (db: Db, courseId: number, lessonId: number, indexIn: (others: readonly Position[]) => number): Promise<number> => {
  const others = (await lessonOrder(db, [courseId])).filter(({ id }) => id !== lessonId)
  const at = indexIn(others)
  const ids = others.map(({ id }) => id)
  await saveOrder(db, ids.toSpliced(at, 0, lessonId))
  return at + 1
}

/** Moves a lesson to the end of its section, or where the section would begin if it is empty; returns its position. */
export const moveToSection = async (db: Db, courseId: number, lessonId: number, sectionId: number): Promise<number> => {
  const sections = await sectionsIn(db, [courseId])
  const before = new Set(sections.slice(0, sections.indexOf(sectionId) + 1))
  return moveAmong(db, courseId, lessonId, (others) => {
    const last = others.findLastIndex(({ section_id }) => section_id === sectionId)
    return 1 + (last >= 0 ? last : others.findLastIndex(({ section_id }) => before.has(section_id)))
  })
}

/** Moves a lesson directly after another; returns its position. */
export const moveAfter = (db: Db, courseId: number, lessonId: number, originalId: number): Promise<number> =>
  moveAmong(db, courseId, lessonId, (others) => others.findIndex(({ id }) => id === originalId) + 1)

/**
 * Moves a lesson to a position counted from 1. Beyond the last lesson, the position is kept as given, leaving a gap until the next
 * reordering.
 */
export const moveToPosition = async (db: Db, courseId: number, lessonId: number, position: number): Promise<void> => {
  await moveAmong(db, courseId, lessonId, () => position - 1)
  await setPosition(db, [lessonId, position])
}

/** The order after moving some ids to positions counted from 1. At the same position, a moved id precedes one that stays. */
export const reordered = (ids: readonly number[], indexes: Readonly<Record<string, number>>): number[] => {
  const wanted = ids.map((id, i) => ({ id, named: Object.hasOwn(indexes, id), position: indexes[id] ?? i + 1 }))
  return wanted.toSorted((a, b) => a.position - b.position || Number(b.named) - Number(a.named)).map(({ id }) => id)
}
